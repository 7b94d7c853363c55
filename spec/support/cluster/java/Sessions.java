import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** ZooKeeper's connections, which the servers of this JVM register as management beans. */
final class Sessions {
  private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

  private Sessions() {}

  /** One line per connected session, fields separated by tabs: id, time-out in ms, paths of its ephemeral nodes. */
  static List<String> list() throws JMException {
    List<String> sessions = new ArrayList<>();
    for (ObjectName bean : beans()) {
      try {
        StringBuilder line = new StringBuilder(id(bean)).append('\t').append(BEANS.getAttribute(bean, "SessionTimeout"));
        for (String path : (String[]) BEANS.getAttribute(bean, "EphemeralNodes")) line.append('\t').append(path);
        sessions.add(line.toString());
      } catch (JMException closedMeanwhile) {
        // A connection that ended since the query is not a session any more.
      }
    }
    return sessions;
  }

  /** terminateSession or terminateConnection for the session with this id. */
  static void invoke(String operation, String wanted) throws JMException {
    for (ObjectName bean : beans()) {
      if (id(bean).equalsIgnoreCase(wanted)) {
        BEANS.invoke(bean, operation, null, null);
        return;
      }
    }
    throw new IllegalArgumentException("no server has a connection of session " + wanted);
  }

  private static String id(ObjectName bean) {
    try {
      return (String) BEANS.getAttribute(bean, "SessionId");
    } catch (JMException closedMeanwhile) {
      return "";
    }
  }

  /** The beans of connections are those whose name ends with the session's id. */
  private static List<ObjectName> beans() throws JMException {
    List<ObjectName> connections = new ArrayList<>();
    for (ObjectName name : BEANS.queryNames(new ObjectName("org.apache.ZooKeeperService:*"), null)) {
      if (name.getKeyPropertyList().containsValue("Connections") && !id(name).isEmpty()) connections.add(name);
    }
    return connections;
  }
}
