import java.util.List;
import java.util.Properties;

/** What JvmProducer drives: one of the producers that a Kafka release has. */
interface Sender {
  void open(Properties properties) throws Exception;

  /** Waits until the brokers have taken all of them; one result each, in their order. */
  List<Sent> send(List<Outgoing> messages) throws Exception;

  /** As send, for many messages whose results nobody wants. The supplier gives null at the end. */
  void sendAll(Source messages) throws Exception;

  /** "begin", "commit" or "abort". */
  void transaction(String step) throws Exception;

  interface Source {
    Outgoing next();
  }

  /** A message for a partition; key, value and timestamp may be null. */
  final class Outgoing {
    final String topic;
    final int partition;
    final Long timestamp;
    final byte[] key;
    final byte[] value;
    /** Names and values in turn. */
    final List<Object> headers;

    Outgoing(String topic, int partition, Long timestamp, byte[] key, byte[] value, List<Object> headers) {
      this.topic = topic;
      this.partition = partition;
      this.timestamp = timestamp;
      this.key = key;
      this.value = value;
      this.headers = headers;
    }
  }

  /** What the broker said of a message; -1 if the producer does not tell. */
  final class Sent {
    final long offset;
    final long timestamp;

    Sent(long offset, long timestamp) {
      this.offset = offset;
      this.timestamp = timestamp;
    }
  }
}
