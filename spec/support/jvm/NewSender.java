import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * org.apache.kafka.clients.producer.KafkaProducer. It is compiled against its first release and runs with any later
 * one, so what came later is called by reflection: flush (0.9), timestamps (0.10), headers and transactions (0.11).
 */
final class NewSender implements Sender {
  private static final String HEADER = "org.apache.kafka.common.header.internals.RecordHeader";

  private KafkaProducer<byte[], byte[]> producer;

  @Override
  public void open(Properties properties) throws Exception {
    producer = new KafkaProducer<>(properties);
    if (properties.containsKey("transactional.id")) call("initTransactions");
  }

  @Override
  public List<Sent> send(List<Outgoing> messages) throws Exception {
    List<Future<RecordMetadata>> futures = new ArrayList<>();
    for (Outgoing message : messages) futures.add(producer.send(record(message)));
    flush();
    List<Sent> sent = new ArrayList<>();
    for (Future<RecordMetadata> future : futures) {
      RecordMetadata metadata = future.get();
      sent.add(new Sent(metadata.offset(), timestamp(metadata)));
    }
    return sent;
  }

  @Override
  public void sendAll(Source messages) throws Exception {
    AtomicReference<Exception> failure = new AtomicReference<>();
    Counter underWay = new Counter();
    for (Outgoing message; failure.get() == null && (message = messages.next()) != null; ) {
      underWay.up();
      producer.send(record(message), (metadata, error) -> {
        if (error != null) failure.compareAndSet(null, error);
        underWay.down();
      });
    }
    flush();
    underWay.awaitNone();
    if (failure.get() != null) throw failure.get();
  }

  @Override
  public void transaction(String step) throws Exception {
    call(step + "Transaction");
  }

  private ProducerRecord<byte[], byte[]> record(Outgoing message) throws Exception {
    if (message.headers.isEmpty() && message.timestamp == null) {
      return new ProducerRecord<>(message.topic, message.partition, message.key, message.value);
    }
    return message.headers.isEmpty() ? withTimestamp(message) : withHeaders(message);
  }

  @SuppressWarnings("unchecked")
  private static ProducerRecord<byte[], byte[]> withTimestamp(Outgoing message) throws Exception {
    Constructor<?> constructor = ProducerRecord.class.getConstructor(
        String.class, Integer.class, Long.class, Object.class, Object.class);
    return (ProducerRecord<byte[], byte[]>) constructor.newInstance(
        message.topic, message.partition, message.timestamp, message.key, message.value);
  }

  @SuppressWarnings("unchecked")
  private static ProducerRecord<byte[], byte[]> withHeaders(Outgoing message) throws Exception {
    Constructor<?> header = Class.forName(HEADER).getConstructor(String.class, byte[].class);
    List<Object> headers = new ArrayList<>();
    for (int i = 0; i < message.headers.size(); i += 2) {
      headers.add(header.newInstance(message.headers.get(i), message.headers.get(i + 1)));
    }
    Constructor<?> constructor = ProducerRecord.class.getConstructor(
        String.class, Integer.class, Long.class, Object.class, Object.class, Iterable.class);
    return (ProducerRecord<byte[], byte[]>) constructor.newInstance(
        message.topic, message.partition, message.timestamp, message.key, message.value, headers);
  }

  private static long timestamp(RecordMetadata metadata) throws Exception {
    try {
      return (Long) RecordMetadata.class.getMethod("timestamp").invoke(metadata);
    } catch (NoSuchMethodException before010) {
      return -1;
    }
  }

  /** Without it, batches leave when they are full or have lingered. */
  private void flush() throws Exception {
    try {
      call("flush");
    } catch (NoSuchMethodException before09) {
      // linger.ms is short then.
    }
  }

  private void call(String name) throws Exception {
    Method method = KafkaProducer.class.getMethod(name);
    method.invoke(producer);
  }

  private static final class Counter {
    private long count;

    synchronized void up() {
      count++;
    }

    synchronized void down() {
      count--;
      if (count == 0) notifyAll();
    }

    synchronized void awaitNone() throws InterruptedException {
      while (count > 0) wait();
    }
  }
}
