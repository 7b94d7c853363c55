import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** One ZooKeeper server: standalone, or a member of an ensemble whose other members are in the same JVM. */
final class ZookeeperNode {
  private static final long START_LIMIT_MS = 40_000;

  private final String file;
  private final int port;
  private final boolean ensemble;
  /** The server's main object, null while stopped. */
  private Object main;
  private Thread thread;
  private volatile Throwable failure;

  ZookeeperNode(File file, Properties properties, boolean ensemble) {
    this.file = file.getPath();
    this.port = Integer.parseInt(properties.getProperty("clientPort").trim());
    this.ensemble = ensemble;
  }

  void start() throws Exception {
    if (main != null) throw new IllegalStateException("this ZooKeeper server runs already");
    String prefix = "org.apache.zookeeper.server.";
    Class<?> type = Class.forName(prefix + (ensemble ? "quorum.QuorumPeerMain" : "ZooKeeperServerMain"));
    Object created = type.getConstructor().newInstance();
    Method run = type.getDeclaredMethod("initializeAndRun", String[].class);
    run.setAccessible(true);
    failure = null;
    thread = new Thread(() -> {
      try {
        run.invoke(created, (Object) new String[] {file});
      } catch (Throwable thrown) {
        failure = thrown;
      }
    }, "zookeeper-" + port);
    thread.setDaemon(true);
    thread.start();
    main = created;
  }

  void stop() throws Exception {
    if (main == null) throw new IllegalStateException("this ZooKeeper server is stopped already");
    Object stopping = main;
    main = null;
    if (ensemble) {
      Field field = stopping.getClass().getDeclaredField("quorumPeer");
      field.setAccessible(true);
      Object peer = field.get(stopping);
      peer.getClass().getMethod("shutdown").invoke(peer);
    } else {
      Method shutdown = stopping.getClass().getDeclaredMethod("shutdown");
      shutdown.setAccessible(true);
      shutdown.invoke(stopping);
    }
    thread.join(10_000);
  }

  void awaitServing() throws Exception {
    long end = System.nanoTime() + START_LIMIT_MS * 1_000_000;
    while (!serves()) {
      if (failure != null) throw new Exception("ZooKeeper on port " + port + " failed", failure);
      if (System.nanoTime() > end) throw new Exception("ZooKeeper on port " + port + " does not serve in time");
      Thread.sleep(20);
    }
  }

  /** An open port is not enough: it is opened before requests are served. */
  private boolean serves() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), 500);
      socket.setSoTimeout(500);
      socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8).contains("Mode:");
    } catch (IOException notYet) {
      return false;
    }
  }
}
