import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** Reads a topic to its end with the consumer of these jars and prints a report: BROKER TOPIC GROUP COUNT. */
public class ConsumerClient {
    private static final OperatingSystemMXBean SYSTEM =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    // poll(long) is the one that both the oldest and the newest of the jars have.
    @SuppressWarnings("deprecation")
    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[3]);
        Properties properties = new Properties();
        properties.put("bootstrap.servers", args[0]);
        properties.put("group.id", args[2]);
        properties.put("auto.offset.reset", "earliest");
        properties.put("key.deserializer", "org.apache.kafka.common.serialization.ByteArrayDeserializer");
        properties.put("value.deserializer", "org.apache.kafka.common.serialization.ByteArrayDeserializer");
        Checksum checksum = new Checksum();
        long firstNs = 0;
        long firstCpuNs = 0;
        long lastNs;
        long lastCpuNs;
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties)) {
            consumer.subscribe(Collections.singletonList(args[1]));
            while (checksum.messages() < count) {
                ConsumerRecords<byte[], byte[]> records = consumer.poll(100);
                if (firstNs == 0 && !records.isEmpty()) {
                    firstNs = System.nanoTime();
                    firstCpuNs = SYSTEM.getProcessCpuTime();
                }
                for (ConsumerRecord<byte[], byte[]> record : records) checksum.add(record.value());
            }
            lastNs = System.nanoTime();
            lastCpuNs = SYSTEM.getProcessCpuTime();
        }
        System.out.printf(
            "{\"messages\":%d,\"checksum\":%d,\"tookMs\":%.3f,\"steadyCpuMs\":%.3f,\"cpuMs\":%.3f,\"maxRssBytes\":%d}%n",
            checksum.messages(), checksum.sum(), (lastNs - firstNs) / 1e6, (lastCpuNs - firstCpuNs) / 1e6,
            SYSTEM.getProcessCpuTime() / 1e6, maxRssBytes());
    }

    /** 0 where there is no /proc. */
    private static long maxRssBytes() throws Exception {
        Path status = Paths.get("/proc/self/status");
        if (!Files.exists(status)) return 0;
        for (String line : Files.readAllLines(status)) {
            if (line.startsWith("VmHWM:")) return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        }
        return 0;
    }
}
