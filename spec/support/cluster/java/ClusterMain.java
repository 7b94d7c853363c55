import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

/**
 * A whole cluster in one JVM: the ZooKeeper servers and brokers whose settings are in DIRECTORY
 * (zookeeper-N.properties, broker-N.properties). It uses reflection only, so that the same classes run on the jars
 * of any Kafka release from 0.8.1 to 3.9.
 *
 * Commands come as lines on stdin, one at a time: "start" (all brokers), "stop N", "start N" (one broker), "zkstop N",
 * "zkstart N", "sessions", "expire 0xID", "drop 0xID", "quit". Each is answered by one line "> ok ..." or
 * "> failed ..." on stdout, behind any number of "> item ..." lines. The start of the ZooKeeper servers is answered in
 * the same way, without a command. At the end of stdin the JVM ends at once and removes DIRECTORY: nothing stays behind
 * when the process that started it was killed.
 */
public final class ClusterMain {
  private final Map<Integer, ZookeeperNode> zookeepers = new TreeMap<>();
  private final Map<Integer, Broker> brokers = new TreeMap<>();

  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[0]);
    BlockingQueue<String> commands = new LinkedBlockingQueue<>();
    readCommands(commands, directory);
    ClusterMain cluster = new ClusterMain();
    Answers.answer(() -> cluster.startZookeepers(directory.toFile()));
    while (true) {
      String line = commands.take();
      Answers.answer(() -> cluster.run(directory.toFile(), line.trim().split("\\s+")));
    }
  }

  private void startZookeepers(File directory) throws Exception {
    List<File> zookeeperFiles = files(directory, "zookeeper");
    for (File file : zookeeperFiles) {
      ZookeeperNode node = new ZookeeperNode(file, load(file), zookeeperFiles.size() > 1);
      zookeepers.put(number(file), node);
      node.start();
    }
    for (ZookeeperNode node : zookeepers.values()) node.awaitServing();
  }

  /** In parallel: brokers spend most of their start waiting for ZooKeeper and the disk. */
  private void startBrokers(File directory) throws Exception {
    for (File file : files(directory, "broker")) brokers.put(number(file), new Broker(file));
    ExecutorService threads = Executors.newCachedThreadPool();
    List<Future<?>> starts = new ArrayList<>();
    for (Broker broker : brokers.values()) starts.add(threads.submit(() -> { broker.start(); return null; }));
    for (Future<?> start : starts) start.get();
    threads.shutdown();
  }

  private void run(File directory, String[] words) throws Exception {
    String argument = words.length > 1 ? words[1] : "";
    switch (words[0]) {
      case "stop": find(brokers, argument).stop(); break;
      case "start":
        if (argument.isEmpty()) startBrokers(directory);
        else find(brokers, argument).start();
        break;
      case "zkstop": find(zookeepers, argument).stop(); break;
      case "zkstart":
        find(zookeepers, argument).start();
        find(zookeepers, argument).awaitServing();
        break;
      case "sessions": for (String session : Sessions.list()) Answers.say("item " + session); break;
      case "expire": Sessions.invoke("terminateSession", argument); break;
      case "drop": Sessions.invoke("terminateConnection", argument); break;
      case "quit": Runtime.getRuntime().halt(0); break;
      default: throw new IllegalArgumentException("unknown command " + words[0]);
    }
  }

  private static <T> T find(Map<Integer, T> members, String number) {
    T member = members.get(Integer.valueOf(number));
    if (member == null) throw new IllegalArgumentException("no number " + number + ", there are " + members.keySet());
    return member;
  }

  /** In a thread of its own, so that the end of stdin is noticed even while a command hangs. */
  private static void readCommands(BlockingQueue<String> commands, Path directory) {
    Thread reader = new Thread(() -> {
      try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
        for (String line; (line = in.readLine()) != null; ) commands.add(line);
      } catch (IOException broken) {
        // A broken pipe means the same as its end.
      }
      remove(directory);
      Runtime.getRuntime().halt(0);
    }, "commands");
    reader.setDaemon(true);
    reader.start();
  }

  private static void remove(Path directory) {
    try (Stream<Path> paths = Files.walk(directory)) {
      paths.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    } catch (IOException | RuntimeException gone) {
      // Files of running brokers come and go; what is left here, the operating system's temp cleaner takes.
    }
  }

  private static List<File> files(File directory, String kind) {
    List<File> found = new ArrayList<>();
    File[] all = directory.listFiles((parent, name) -> name.matches(kind + "-\\d+\\.properties"));
    if (all != null) found.addAll(List.of(all));
    found.sort(Comparator.comparingInt(ClusterMain::number));
    return found;
  }

  private static int number(File file) {
    return Integer.parseInt(file.getName().replaceAll("\\D", ""));
  }

  static Properties load(File file) throws IOException {
    Properties properties = new Properties();
    try (FileReader in = new FileReader(file)) {
      properties.load(in);
    }
    return properties;
  }
}
