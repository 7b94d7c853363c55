import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Properties;
import java.util.Set;
import kafka.consumer.ConsumerConfig;
import scala.Option;

/**
 * What the JVM makes of properties. A command on stdin has the bytes of a properties file, in base64:
 *
 * "load BYTES" is answered by one item "NAME VALUE" for each property, "config BYTES" by one item "GETTER VALUE" for each
 * value that the ConsumerConfig made of them has, both by one item "EXCEPTION" if they are refused. All words of an item are
 * in base64. The end of stdin ends it.
 */
public final class ConfigOracle {
  private static final Set<Class<?>> VALUE_TYPES = Set.of(int.class, boolean.class, String.class, Option.class);

  private ConfigOracle() {}

  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    Answers.answer(() -> {});
    for (String line; (line = in.readLine()) != null; ) {
      int blank = line.indexOf(' ');
      String command = line.substring(0, blank);
      byte[] bytes = Base64.getDecoder().decode(line.substring(blank + 1));
      Answers.answer(() -> {
        try {
          if (command.equals("load")) sayProperties(load(bytes));
          else sayValues(new ConsumerConfig(load(bytes)));
        } catch (RuntimeException refused) {
          Answers.say("item " + base64(refused));
        }
      });
    }
    Runtime.getRuntime().halt(0);
  }

  private static Properties load(byte[] bytes) throws IOException {
    Properties properties = new Properties();
    properties.load(new ByteArrayInputStream(bytes));
    return properties;
  }

  private static void sayProperties(Properties properties) {
    properties.forEach((name, value) -> Answers.say("item " + base64(name) + " " + base64(value)));
  }

  private static void sayValues(ConsumerConfig config) throws Exception {
    for (Method getter : config.getClass().getMethods()) {
      Class<?> type = getter.getReturnType();
      if (!VALUE_TYPES.contains(type) || getter.getParameterCount() > 0 || Modifier.isStatic(getter.getModifiers())) continue;
      Object value = getter.invoke(config);
      if (value instanceof Option) value = ((Option<?>) value).isEmpty() ? null : ((Option<?>) value).get();
      if (value != null) Answers.say("item " + base64(getter.getName()) + " " + base64(value));
    }
  }

  private static String base64(Object text) {
    return Base64.getEncoder().encodeToString(text.toString().getBytes(StandardCharsets.UTF_8));
  }
}
