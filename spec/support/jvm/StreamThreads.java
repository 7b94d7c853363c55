import java.lang.reflect.Field;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import kafka.consumer.ConsumerIterator;
import kafka.consumer.KafkaStream;
import kafka.javaapi.consumer.ConsumerConnector;
import scala.Tuple2;

/**
 * The API does not tell a stream's thread id. The connector keeps the queues of its streams by topic and thread id,
 * and the stream that reads from the same queue is the one that is looked for.
 */
final class StreamThreads {
  private final ConsumerConnector connector;

  StreamThreads(ConsumerConnector connector) {
    this.connector = connector;
  }

  /** The thread id of the stream for this topic, which has to be one that the stream reads. */
  String threadId(KafkaStream<?, ?> stream, String topic) throws Exception {
    Object queue = fieldOf(fieldOf(stream, ConsumerIterator.class), BlockingQueue.class);
    Object scala = fieldOf(connector, Class.forName("kafka.consumer.ZookeeperConsumerConnector"));
    for (Field field : scala.getClass().getDeclaredFields()) {
      if (!field.getType().getName().equals("kafka.utils.Pool")) continue;
      field.setAccessible(true);
      Map<?, ?> entries = (Map<?, ?>) fieldOf(field.get(scala), Map.class);
      for (Map.Entry<?, ?> entry : entries.entrySet()) {
        if (entry.getValue() != queue) continue;
        Tuple2<?, ?> key = (Tuple2<?, ?>) entry.getKey();
        if (key._1().equals(topic)) return key._2().toString();
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
}
