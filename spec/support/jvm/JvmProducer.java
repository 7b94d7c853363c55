import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Properties;

/**
 * A producer that is driven by lines on stdin: JvmProducer SENDER PROPERTY=VALUE...
 *
 * "send TOPIC PARTITION COUNT" is followed by COUNT lines, one message each, whose fields are separated by tabs:
 * timestamp, key, value, then a name and a value for each header. Bytes are in base64, "-" is null. It is answered by
 * one item per message, "OFFSET TIMESTAMP". "fill TOPIC PARTITIONS COUNT VALUE_BYTES KEYS" makes its messages itself
 * (see Filling.java). "begin", "commit" and "abort" are the steps of a transaction. The end of stdin ends it at once.
 */
public final class JvmProducer {
  private static final BufferedReader IN =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));

  private final Sender sender;

  private JvmProducer(Sender sender) {
    this.sender = sender;
  }

  public static void main(String[] args) throws Exception {
    Sender sender = (Sender) Class.forName(args[0]).getDeclaredConstructor().newInstance();
    Answers.answer(() -> sender.open(properties(args)));
    JvmProducer producer = new JvmProducer(sender);
    for (String line; (line = IN.readLine()) != null; ) {
      String[] words = line.split(" ");
      // What belongs to the command is read before anything can fail, so that the next line is a command again.
      List<Sender.Outgoing> messages = words[0].equals("send") ? producer.readMessages(words) : null;
      Answers.answer(() -> producer.run(words, messages));
    }
    Runtime.getRuntime().halt(0);
  }

  private static Properties properties(String[] args) {
    Properties properties = new Properties();
    for (int i = 1; i < args.length; i++) {
      int equals = args[i].indexOf('=');
      properties.put(args[i].substring(0, equals), args[i].substring(equals + 1));
    }
    return properties;
  }

  private void run(String[] words, List<Sender.Outgoing> messages) throws Exception {
    switch (words[0]) {
      case "send":
        for (Sender.Sent sent : sender.send(messages)) Answers.say("item " + sent.offset + " " + sent.timestamp);
        break;
      case "fill":
        sender.sendAll(new Filling(words[1], Integer.parseInt(words[2]), Long.parseLong(words[3]),
            Integer.parseInt(words[4]), Integer.parseInt(words[5])));
        break;
      case "begin":
      case "commit":
      case "abort": sender.transaction(words[0]); break;
      default: throw new IllegalArgumentException("unknown command " + words[0]);
    }
  }

  private List<Sender.Outgoing> readMessages(String[] words) throws IOException {
    List<Sender.Outgoing> messages = new ArrayList<>();
    for (int i = Integer.parseInt(words[3]); i > 0; i--) {
      String[] fields = IN.readLine().split("\t", -1);
      Long timestamp = fields[0].equals("-") ? null : Long.valueOf(fields[0]);
      List<Object> headers = new ArrayList<>();
      for (int at = 3; at < fields.length; at += 2) {
        headers.add(new String(bytes(fields[at]), StandardCharsets.UTF_8));
        headers.add(bytes(fields[at + 1]));
      }
      messages.add(new Sender.Outgoing(
          words[1], Integer.parseInt(words[2]), timestamp, bytes(fields[1]), bytes(fields[2]), headers));
    }
    return messages;
  }

  private static byte[] bytes(String text) {
    return text.equals("-") ? null : Base64.getDecoder().decode(text);
  }
}
