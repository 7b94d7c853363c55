import java.io.File;
import java.lang.reflect.Constructor;
import java.util.Properties;

/**
 * One kafka.server.KafkaServer, whose constructor has other parameters in almost every release; or, if the settings
 * have process.roles, one kafka.server.KafkaRaftServer.
 */
final class Broker {
  /** The settings, read at each start. */
  private final File file;
  /** Null while stopped; a stopped server cannot be started again, so each start makes a new one. */
  private Object server;

  Broker(File file) {
    this.file = file;
  }

  void start() throws Exception {
    if (server != null) throw new IllegalStateException("this broker runs already");
    Object created = create();
    created.getClass().getMethod("startup").invoke(created);
    server = created;
  }

  void stop() throws Exception {
    if (server == null) throw new IllegalStateException("this broker is stopped already");
    Object stopping = server;
    server = null;
    stopping.getClass().getMethod("shutdown").invoke(stopping);
    stopping.getClass().getMethod("awaitShutdown").invoke(stopping);
  }

  private Object create() throws Exception {
    Properties properties = ClusterMain.load(file);
    boolean kraft = properties.containsKey("process.roles");
    if (kraft) KraftStorage.format(file);
    Constructor<?> constructor = null;
    for (Constructor<?> candidate : serverType(kraft).getConstructors()) {
      if (constructor == null || candidate.getParameterCount() > constructor.getParameterCount()) constructor = candidate;
    }
    Class<?>[] types = constructor.getParameterTypes();
    Object[] arguments = new Object[types.length];
    arguments[0] = config(properties);
    for (int i = 1; i < types.length; i++) arguments[i] = defaultOf(types[i].getName());
    return constructor.newInstance(arguments);
  }

  private static Class<?> serverType(boolean kraft) throws Exception {
    return Class.forName(kraft ? "kafka.server.KafkaRaftServer" : "kafka.server.KafkaServer");
  }

  private static Object config(Properties properties) throws Exception {
    Class<?> type = Class.forName("kafka.server.KafkaConfig");
    try {
      return type.getMethod("fromProps", Properties.class).invoke(null, properties);
    } catch (NoSuchMethodException before09) {
      return type.getConstructor(Properties.class).newInstance(properties);
    }
  }

  private static Object defaultOf(String type) throws Exception {
    switch (type) {
      case "boolean": return false;
      case "scala.Option": return Class.forName("scala.Option").getMethod("empty").invoke(null);
      case "scala.collection.Seq": return scalaObject("scala.collection.immutable.Nil$");
      case "kafka.utils.Time": return scalaObject("kafka.utils.SystemTime$");
      case "org.apache.kafka.common.utils.Time":
        try {
          return Class.forName(type).getField("SYSTEM").get(null);
        } catch (NoSuchFieldException before10) {
          return Class.forName("org.apache.kafka.common.utils.SystemTime").getConstructor().newInstance();
        }
      default: throw new IllegalStateException("the server wants a " + type + ", which Broker.java does not know");
    }
  }

  private static Object scalaObject(String type) throws Exception {
    return Class.forName(type).getField("MODULE$").get(null);
  }
}
