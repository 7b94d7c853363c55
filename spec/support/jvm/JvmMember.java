import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import kafka.consumer.Blacklist;
import kafka.consumer.Consumer;
import kafka.consumer.ConsumerConfig;
import kafka.consumer.ConsumerIterator;
import kafka.consumer.KafkaStream;
import kafka.consumer.Whitelist;
import kafka.javaapi.consumer.ConsumerConnector;
import kafka.message.MessageAndMetadata;

/**
 * The original ZookeeperConsumerConnector of any release as a member of a group:
 * JvmMember PROPERTY=VALUE... -- (topics TOPIC=STREAMS... | whitelist REGEX STREAMS | blacklist REGEX STREAMS)
 *
 * It prints one JSON object per line on stdout: started, owned (whenever the partitions that this member holds
 * change), assigned, message, ownedCount, error, done. The line "ownedCount" on stdin asks for that metric, "stop" ends
 * the member in the clean way, with a commit; the end of stdin ends it at once.
 */
public final class JvmMember {
  private final Properties properties;
  /** What is behind the two hyphens. */
  private final List<String> subscription;
  private final String consumerId;
  private final AtomicLong messages = new AtomicLong();
  private final CountDownLatch stopped = new CountDownLatch(1);

  private JvmMember(Properties properties, List<String> subscription) {
    this.properties = properties;
    this.subscription = subscription;
    this.consumerId = properties.get("group.id") + "_" + properties.get("consumer.id");
  }

  public static void main(String[] args) {
    List<String> all = List.of(args);
    Properties properties = new Properties();
    for (String arg : all.subList(0, all.indexOf("--"))) {
      int equals = arg.indexOf('=');
      properties.put(arg.substring(0, equals), arg.substring(equals + 1));
    }
    int status = 0;
    try {
      new JvmMember(properties, all.subList(all.indexOf("--") + 1, all.size())).run();
    } catch (Throwable failure) {
      failure.printStackTrace();
      JsonLines.print("error", "message", JsonLines.quote(failure.toString()));
      status = 1;
    }
    System.exit(status);
  }

  private void run() throws Exception {
    readCommands();
    ConsumerConnector connector = Consumer.createJavaConsumerConnector(new ConsumerConfig(properties));
    AssignmentReport.listenTo(connector);
    List<KafkaStream<byte[], byte[]>> streams = streamsOf(connector);
    JsonLines.print("started", "consumerId", JsonLines.quote(consumerId));
    StreamThreads threads = new StreamThreads(connector);
    for (KafkaStream<byte[], byte[]> stream : streams) read(stream, threads);
    new OwnerNodes(properties.getProperty("zookeeper.connect"), properties.getProperty("group.id"), consumerId)
        .report(stopped);
    connector.commitOffsets();
    connector.shutdown();
    JsonLines.print("done", "count", messages.toString());
  }

  private List<KafkaStream<byte[], byte[]>> streamsOf(ConsumerConnector connector) {
    String kind = subscription.get(0);
    List<String> rest = subscription.subList(1, subscription.size());
    if (!kind.equals("topics")) {
      int count = Integer.parseInt(rest.get(1));
      return connector.createMessageStreamsByFilter(
          kind.equals("whitelist") ? new Whitelist(rest.get(0)) : new Blacklist(rest.get(0)), count);
    }
    Map<String, Integer> topics = new HashMap<>();
    for (String topic : rest) {
      int equals = topic.indexOf('=');
      topics.put(topic.substring(0, equals), Integer.valueOf(topic.substring(equals + 1)));
    }
    List<KafkaStream<byte[], byte[]>> streams = new ArrayList<>();
    connector.createMessageStreams(topics).values().forEach(streams::addAll);
    return streams;
  }

  private void readCommands() {
    Thread thread = new Thread(() -> {
      try {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          if (line.equals("ownedCount")) printOwnedCount();
          else stopped.countDown();
        }
      } catch (IOException broken) {
        // A broken pipe means the same as its end.
      }
      Runtime.getRuntime().halt(3);
    }, "stdin");
    thread.setDaemon(true);
    thread.start();
  }

  /** The metric has one bean for each topic, too, which is left out. */
  private static void printOwnedCount() {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName all =
          new ObjectName("kafka.consumer:type=ZookeeperConsumerConnector,name=OwnedPartitionsCount,*");
      for (ObjectName name : beans.queryNames(all, null)) {
        if (name.getKeyProperty("topic") != null) continue;
        JsonLines.print("ownedCount", "count", String.valueOf(beans.getAttribute(name, "Value")));
      }
    } catch (JMException failure) {
      JsonLines.print("error", "message", JsonLines.quote(failure.toString()));
    }
  }

  private void read(KafkaStream<byte[], byte[]> stream, StreamThreads threads) {
    Thread thread = new Thread(() -> {
      Map<String, String> threadIds = new HashMap<>();
      try {
        ConsumerIterator<byte[], byte[]> iterator = stream.iterator();
        while (iterator.hasNext()) {
          MessageAndMetadata<byte[], byte[]> message = iterator.next();
          messages.incrementAndGet();
          String topic = message.topic();
          if (!threadIds.containsKey(topic)) threadIds.put(topic, threads.threadId(stream, topic));
          JsonLines.print("message", "threadId", JsonLines.quote(threadIds.get(topic)), "topic", JsonLines.quote(topic),
              "partition", String.valueOf(message.partition()), "offset", String.valueOf(message.offset()),
              "key", JsonLines.quote(text(message.key())), "value", JsonLines.quote(text(message.message())));
        }
      } catch (Throwable failure) {
        JsonLines.print("error", "message", JsonLines.quote(failure.toString()));
      }
    });
    thread.setDaemon(true);
    thread.start();
  }

  private static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, UTF_8);
  }
}
