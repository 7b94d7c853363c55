import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import kafka.common.TopicAndPartition;
import kafka.consumer.AssignmentContext;
import kafka.consumer.PartitionAssignor$;
import org.I0Itec.zkclient.ZkClient;
import org.I0Itec.zkclient.serialize.ZkSerializer;
import scala.Tuple2;
import scala.collection.Iterable;
import scala.collection.Iterator;

/**
 * What the original assignors make of groups whose registrations are in ZooKeeper: AssignorOracle ZOOKEEPER_CONNECT
 *
 * A line "GROUP MEMBER..." on stdin, with tabs between, lets each of these members assign, by both strategies. It is
 * answered by one item "STRATEGY TOPIC PARTITION THREAD" for each partition, or "STRATEGY" and why a member has failed,
 * again with tabs between. It runs on the jars of any release that has the old consumer and roundrobin; what differs
 * between them is called by reflection. The end of stdin ends it.
 */
public final class AssignorOracle {
  private static final List<String> STRATEGIES = List.of("range", "roundrobin");
  private static final int TIMEOUT_MS = 30_000;

  private final Object zookeeper;

  private AssignorOracle(Object zookeeper) {
    this.zookeeper = zookeeper;
  }

  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    AssignorOracle[] oracle = new AssignorOracle[1];
    Answers.answer(() -> oracle[0] = new AssignorOracle(connect(args[0])));
    for (String line; (line = in.readLine()) != null; ) {
      String[] words = line.split("\t");
      Answers.answer(() -> oracle[0].assign(words[0], Arrays.copyOfRange(words, 1, words.length)));
    }
    Runtime.getRuntime().halt(0);
  }

  /** What an AssignmentContext reads from: the client itself up to 0.8, ZkUtils around it from 0.9 on. */
  private static Object connect(String connect) throws Exception {
    for (Method method : Class.forName("kafka.utils.ZkUtils").getMethods()) {
      if (method.getName().equals("apply") && method.getParameterCount() == 4) {
        return method.invoke(null, connect, TIMEOUT_MS, TIMEOUT_MS, false);
      }
    }
    Object serializer = Class.forName("kafka.utils.ZKStringSerializer$").getField("MODULE$").get(null);
    return new ZkClient(connect, TIMEOUT_MS, TIMEOUT_MS, (ZkSerializer) serializer);
  }

  private void assign(String group, String[] members) throws Exception {
    AssignmentContext[] contexts = new AssignmentContext[members.length];
    for (int i = 0; i < members.length; i++) {
      contexts[i] = (AssignmentContext)
          AssignmentContext.class.getConstructors()[0].newInstance(group, members[i], true, zookeeper);
    }
    for (String strategy : STRATEGIES) {
      try {
        Map<String, String> owners = new TreeMap<>();
        for (AssignmentContext context : contexts) addOwners(owners, assigned(strategy, context));
        owners.forEach((partition, thread) -> Answers.say("item " + strategy + "\t" + partition + "\t" + thread));
      } catch (RuntimeException refused) {
        Answers.say("item " + strategy + "\t" + refused.toString().replaceAll("\\s+", " "));
      }
    }
  }

  private static Iterable<?> assigned(String strategy, AssignmentContext context) {
    Object assignment = PartitionAssignor$.MODULE$.createInstance(strategy).assign(context);
    return (Iterable<?>) assignment;
  }

  /** Up to 0.10.1 an assignment is the own partitions with their threads, later those of each member by its id. */
  private static void addOwners(Map<String, String> owners, Iterable<?> assignment) {
    for (Iterator<?> entries = assignment.iterator(); entries.hasNext(); ) {
      Tuple2<?, ?> entry = (Tuple2<?, ?>) entries.next();
      if (!(entry._1() instanceof TopicAndPartition)) {
        addOwners(owners, (Iterable<?>) entry._2());
        continue;
      }
      TopicAndPartition at = (TopicAndPartition) entry._1();
      String thread = entry._2().toString();
      String other = owners.put(at.topic() + "\t" + at.partition(), thread);
      if (other != null && !other.equals(thread)) {
        throw new IllegalStateException("members do not agree about " + at + ": " + other + " or " + thread);
      }
    }
  }
}
