import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes COUNT messages of SIZE bytes to a topic, with null keys, message i to partition i % PARTITIONS, and prints their
 * count and checksum: BROKER TOPIC PARTITIONS COUNT SIZE CODEC.
 */
public class Loader {
    private static final String[] ACTIONS = {"view", "add-to-cart", "remove", "checkout", "search", "login", "logout"};

    public static void main(String[] args) throws Exception {
        String topic = args[1];
        int partitions = Integer.parseInt(args[2]);
        int count = Integer.parseInt(args[3]);
        int size = Integer.parseInt(args[4]);
        Properties properties = new Properties();
        properties.put("bootstrap.servers", args[0]);
        properties.put("compression.type", args[5]);
        properties.put("batch.size", "16384");
        properties.put("linger.ms", "50");
        properties.put("acks", "1");
        properties.put("key.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
        properties.put("value.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
        AtomicReference<Exception> failure = new AtomicReference<>();
        Checksum checksum = new Checksum();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties)) {
            for (int id = 0; id < count && failure.get() == null; id++) {
                byte[] value = value(id, size);
                checksum.add(value);
                producer.send(new ProducerRecord<>(topic, id % partitions, null, value), (metadata, exception) -> {
                    if (exception != null) failure.compareAndSet(null, exception);
                });
            }
        }
        if (failure.get() != null) throw failure.get();
        System.out.println("{\"messages\":" + checksum.messages() + ",\"checksum\":" + checksum.sum() + "}");
    }

    /** As applications write them: JSON of fields that differ from message to message, filled up to the size. */
    private static byte[] value(int id, int size) {
        long mixed = (id + 1) * 0x9E3779B97F4A7C15L;
        StringBuilder text = new StringBuilder(size);
        text.append("{\"id\":\"");
        String digits = Integer.toString(id);
        for (int pad = digits.length(); pad < Checksum.ID_DIGITS; pad++) text.append('0');
        text.append(digits).append("\",\"user\":").append((mixed >>> 20) % 100_000);
        text.append(",\"action\":\"").append(ACTIONS[(int) ((mixed >>> 7) & 0xFFFF) % ACTIONS.length]).append('"');
        for (int item = 0; text.length() + 40 < size; item++) {
            mixed = (mixed ^ (mixed >>> 29)) * 0xBF58476D1CE4E5B9L;
            text.append(",\"item").append(item).append("\":{\"sku\":").append((mixed >>> 12) % 10_000);
            text.append(",\"n\":").append(mixed & 7).append('}');
        }
        text.append(",\"note\":\"");
        while (text.length() < size - 2) text.append((char) ('a' + text.length() % 26));
        return text.append("\"}").toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
