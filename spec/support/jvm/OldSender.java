import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import kafka.javaapi.producer.Producer;
import kafka.producer.KeyedMessage;
import kafka.producer.Partitioner;
import kafka.producer.ProducerConfig;
import kafka.utils.VerifiableProperties;

/** kafka.javaapi.producer.Producer, the only one that Kafka 0.8.1 brings. Each send makes one set per partition. */
final class OldSender implements Sender {
  private static final int MESSAGES_PER_SEND = 200;

  private Producer<byte[], byte[]> producer;

  /** The key for the partitioner is the partition itself. */
  public static final class AsGiven implements Partitioner {
    public AsGiven(VerifiableProperties properties) {}

    @Override
    public int partition(Object partition, int partitions) {
      return (Integer) partition;
    }
  }

  @Override
  public void open(Properties properties) {
    properties.put("partitioner.class", AsGiven.class.getName());
    producer = new Producer<>(new ProducerConfig(properties));
  }

  @Override
  public List<Sent> send(List<Outgoing> messages) {
    List<KeyedMessage<byte[], byte[]>> keyed = new ArrayList<>();
    List<Sent> sent = new ArrayList<>();
    for (Outgoing message : messages) {
      if (message.timestamp != null || !message.headers.isEmpty()) {
        throw new IllegalArgumentException("messages of Kafka 0.8 have neither timestamps nor headers");
      }
      keyed.add(new KeyedMessage<>(message.topic, message.key, message.partition, message.value));
      sent.add(new Sent(-1, -1));
    }
    producer.send(keyed);
    return sent;
  }

  @Override
  public void sendAll(Source messages) {
    List<Outgoing> some = new ArrayList<>();
    for (Outgoing message; (message = messages.next()) != null; ) {
      some.add(message);
      if (some.size() == MESSAGES_PER_SEND) {
        send(some);
        some.clear();
      }
    }
    if (!some.isEmpty()) send(some);
  }

  @Override
  public void transaction(String step) {
    throw new UnsupportedOperationException("Kafka 0.8 has no transactions");
  }
}
