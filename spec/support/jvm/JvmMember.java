import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import kafka.consumer.Consumer;
import kafka.consumer.ConsumerConfig;
import kafka.consumer.ConsumerIterator;
import kafka.consumer.KafkaStream;
import kafka.javaapi.consumer.ConsumerConnector;
import kafka.message.MessageAndMetadata;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import scala.Tuple2;

/**
 * The original ZookeeperConsumerConnector as a member of a group: JvmMember PROPERTY=VALUE... -- TOPIC=STREAMS...
 *
 * It prints one JSON object per line on stdout: started, owned (whenever the partitions that this member holds
 * change), message, error, done. A line on stdin ends it in the clean way, with a commit; the end of stdin ends it
 * at once.
 */
public final class JvmMember {
  private static final long OWNERS_INTERVAL_MS = 50;

  private final Properties properties;
  private final Map<String, Integer> topics;
  private final String consumerId;
  private final AtomicLong messages = new AtomicLong();
  private final CountDownLatch stopped = new CountDownLatch(1);

  private JvmMember(Properties properties, Map<String, Integer> topics) {
    this.properties = properties;
    this.topics = topics;
    this.consumerId = properties.get("group.id") + "_" + properties.get("consumer.id");
  }

  public static void main(String[] args) throws Exception {
    Properties properties = new Properties();
    Map<String, Integer> topics = new HashMap<>();
    boolean inTopics = false;
    for (String arg : args) {
      int equals = arg.indexOf('=');
      if (arg.equals("--")) inTopics = true;
      else if (inTopics) topics.put(arg.substring(0, equals), Integer.valueOf(arg.substring(equals + 1)));
      else properties.put(arg.substring(0, equals), arg.substring(equals + 1));
    }
    int status = 0;
    try {
      new JvmMember(properties, topics).run();
    } catch (Throwable failure) {
      failure.printStackTrace();
      print("error", "message", quote(failure.toString()));
      status = 1;
    }
    System.exit(status);
  }

  private void run() throws Exception {
    awaitStop();
    ConsumerConnector connector = Consumer.createJavaConsumerConnector(new ConsumerConfig(properties));
    Map<String, List<KafkaStream<byte[], byte[]>>> streams = connector.createMessageStreams(topics);
    print("started", "consumerId", quote(consumerId));
    for (List<KafkaStream<byte[], byte[]>> ofTopic : streams.values()) {
      for (KafkaStream<byte[], byte[]> stream : ofTopic) read(stream, threadId(connector, stream));
    }
    reportOwned();
    connector.commitOffsets();
    connector.shutdown();
    print("done", "count", messages.toString());
  }

  private void awaitStop() {
    Thread thread = new Thread(() -> {
      try {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (in.readLine() != null) stopped.countDown();
      } catch (IOException broken) {
        // A broken pipe means the same as its end.
      }
      Runtime.getRuntime().halt(3);
    }, "stdin");
    thread.setDaemon(true);
    thread.start();
  }

  private void read(KafkaStream<byte[], byte[]> stream, String threadId) {
    Thread thread = new Thread(() -> {
      try {
        ConsumerIterator<byte[], byte[]> iterator = stream.iterator();
        while (iterator.hasNext()) {
          MessageAndMetadata<byte[], byte[]> message = iterator.next();
          messages.incrementAndGet();
          print("message", "threadId", quote(threadId), "topic", quote(message.topic()),
              "partition", String.valueOf(message.partition()), "offset", String.valueOf(message.offset()),
              "key", quote(text(message.key())), "value", quote(text(message.message())));
        }
      } catch (Throwable failure) {
        print("error", "threadId", quote(threadId), "message", quote(failure.toString()));
      }
    }, threadId);
    thread.setDaemon(true);
    thread.start();
  }

  /** Compares this member's owner nodes with those reported last, until it is told to stop. */
  private void reportOwned() throws Exception {
    ZooKeeper zookeeper = connect();
    String last = "{}";
    while (!stopped.await(OWNERS_INTERVAL_MS, TimeUnit.MILLISECONDS)) {
      try {
        String owned = owned(zookeeper);
        if (!owned.equals(last)) print("owned", "partitions", owned);
        last = owned;
      } catch (KeeperException.SessionExpiredException pausedTooLong) {
        zookeeper.close();
        zookeeper = connect();
      } catch (KeeperException.ConnectionLossException reconnects) {
        // The next look comes soon.
      }
    }
    zookeeper.close();
  }

  private ZooKeeper connect() throws IOException {
    return new ZooKeeper(properties.getProperty("zookeeper.connect"), 10_000, event -> {});
  }

  private String owned(ZooKeeper zookeeper) throws KeeperException, InterruptedException {
    Map<String, String> owned = new TreeMap<>();
    for (String topic : topics.keySet()) {
      String path = "/consumers/" + properties.get("group.id") + "/owners/" + topic;
      for (String partition : children(zookeeper, path)) {
        try {
          String owner = text(zookeeper.getData(path + "/" + partition, false, null));
          if (owner.startsWith(consumerId + "-")) owned.put(topic + "/" + partition, owner);
        } catch (KeeperException.NoNodeException releasedMeanwhile) {
          // Nobody owns it now.
        }
      }
    }
    StringBuilder json = new StringBuilder();
    owned.forEach((partition, owner) ->
        json.append(json.length() == 0 ? "" : ",").append(quote(partition)).append(':').append(quote(owner)));
    return "{" + json + "}";
  }

  private static List<String> children(ZooKeeper zookeeper, String path) throws KeeperException, InterruptedException {
    try {
      return zookeeper.getChildren(path, false);
    } catch (KeeperException.NoNodeException nobodyOwnsAny) {
      return List.of();
    }
  }

  /**
   * The API does not tell a stream's thread id. The connector keeps the queues of its streams by topic and thread id,
   * and the stream that reads from the same queue is the one that is looked for.
   */
  private static String threadId(ConsumerConnector javaConnector, KafkaStream<?, ?> stream) throws Exception {
    Object queue = fieldOf(fieldOf(stream, ConsumerIterator.class), BlockingQueue.class);
    Object connector = fieldOf(javaConnector, Class.forName("kafka.consumer.ZookeeperConsumerConnector"));
    for (Field field : connector.getClass().getDeclaredFields()) {
      if (!field.getType().getName().equals("kafka.utils.Pool")) continue;
      field.setAccessible(true);
      Map<?, ?> entries = (Map<?, ?>) fieldOf(field.get(connector), Map.class);
      for (Map.Entry<?, ?> entry : entries.entrySet()) {
        if (entry.getValue() == queue) return ((Tuple2<?, ?>) entry.getKey())._2().toString();
      }
    }
    throw new IllegalStateException("this connector keeps the queues of its streams in another way");
  }

  /** The value of the object's field of this type. */
  private static Object fieldOf(Object object, Class<?> type) throws IllegalAccessException {
    for (Class<?> at = object.getClass(); at != null; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        if (!type.isAssignableFrom(field.getType())) continue;
        field.setAccessible(true);
        return field.get(object);
      }
    }
    throw new IllegalStateException(object.getClass() + " has no field of " + type);
  }

  private static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  private static String quote(String text) {
    if (text == null) return "null";
    StringBuilder json = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') json.append('\\').append(c);
      else if (c < ' ' || c > '~') json.append(String.format("\\u%04x", (int) c));
      else json.append(c);
    }
    return json.append('"').toString();
  }

  private static void print(String event, String... fields) {
    StringBuilder json = new StringBuilder("{\"event\":").append(quote(event));
    for (int i = 0; i < fields.length; i += 2) json.append(',').append(quote(fields[i])).append(':').append(fields[i + 1]);
    synchronized (System.out) {
      System.out.println(json.append('}'));
      System.out.flush();
    }
  }
}
