import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.TreeMap;
import kafka.javaapi.consumer.ConsumerConnector;

/**
 * Prints an event "assigned" with what a member thinks that every thread of the group has, each time it is about to
 * fetch. Connectors from 0.9 on tell it to a listener, which those before do not have: hence by reflection.
 */
final class AssignmentReport {
  private AssignmentReport() {}

  static void listenTo(ConsumerConnector connector) throws ReflectiveOperationException {
    for (Method method : ConsumerConnector.class.getMethods()) {
      if (!method.getName().equals("setConsumerRebalanceListener")) continue;
      Class<?> type = method.getParameterTypes()[0];
      method.invoke(connector, Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, call, args) -> {
        if (call.getName().equals("beforeStartingFetchers")) print((Map<?, ?>) args[1]);
        return null;
      }));
    }
  }

  private static void print(Map<?, ?> threadsByTopic) {
    Map<String, String> assigned = new TreeMap<>();
    threadsByTopic.forEach((topic, threads) ->
        ((Map<?, ?>) threads).forEach((partition, thread) -> assigned.put(topic + "/" + partition, thread.toString())));
    JsonLines.print("assigned", "partitions", JsonLines.object(assigned));
  }
}
