import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

/** The owner nodes of a group that name one member, looked at again and again on a session of its own. */
final class OwnerNodes {
  private static final long INTERVAL_MS = 50;

  private final String connect;
  private final String owners;
  private final String consumerId;

  OwnerNodes(String connect, String group, String consumerId) {
    this.connect = connect;
    this.owners = "/consumers/" + group + "/owners";
    this.consumerId = consumerId;
  }

  /** Prints an event "owned" whenever they have changed, until the latch is open. */
  void report(CountDownLatch stopped) throws Exception {
    ZooKeeper zookeeper = connect();
    String last = "{}";
    while (!stopped.await(INTERVAL_MS, TimeUnit.MILLISECONDS)) {
      try {
        String owned = JsonLines.object(read(zookeeper));
        if (!owned.equals(last)) JsonLines.print("owned", "partitions", owned);
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
    return new ZooKeeper(connect, 10_000, event -> {});
  }

  /** Thread id by "topic/partition". */
  private Map<String, String> read(ZooKeeper zookeeper) throws KeeperException, InterruptedException {
    Map<String, String> owned = new TreeMap<>();
    for (String topic : children(zookeeper, owners)) {
      for (String partition : children(zookeeper, owners + "/" + topic)) {
        try {
          byte[] data = zookeeper.getData(owners + "/" + topic + "/" + partition, false, null);
          String owner = data == null ? "" : new String(data, StandardCharsets.UTF_8);
          if (owner.startsWith(consumerId + "-")) owned.put(topic + "/" + partition, owner);
        } catch (KeeperException.NoNodeException releasedMeanwhile) {
          // Nobody owns it now.
        }
      }
    }
    return owned;
  }

  private static List<String> children(ZooKeeper zookeeper, String path) throws KeeperException, InterruptedException {
    try {
      return zookeeper.getChildren(path, false);
    } catch (KeeperException.NoNodeException nobodyOwnsAny) {
      return List.of();
    }
  }
}
