import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.PatternSyntaxException;

/**
 * Tells which topic names a regex matches by java.util.regex: RegexOracle TOPIC... A command is a number and so many lines,
 * each with a regex in base64. For each there is an item: a 1 or 0 for each topic, "refused" and why, or "slow".
 */
public final class RegexOracle {
  private static final long LIMIT_MS = 1_000;

  private final String[] topics;
  private final ExecutorService matching = Executors.newCachedThreadPool(RegexOracle::thread);

  private RegexOracle(String[] topics) {
    this.topics = topics;
  }

  public static void main(String[] topics) throws Exception {
    RegexOracle oracle = new RegexOracle(topics);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    Answers.say("ok");
    for (String count = in.readLine(); count != null; count = in.readLine()) {
      int regexes = Integer.parseInt(count);
      Answers.answer(() -> {
        for (int i = 0; i < regexes; i++) {
          byte[] regex = Base64.getDecoder().decode(in.readLine());
          Answers.say("item " + oracle.evaluate(new String(regex, StandardCharsets.UTF_8)));
        }
      });
    }
    // What backtracks for hours cannot be interrupted.
    Runtime.getRuntime().halt(0);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "matching");
    thread.setDaemon(true);
    return thread;
  }

  private String evaluate(String regex) throws Exception {
    Future<String> matches = matching.submit(() -> matches(regex));
    try {
      return matches.get(LIMIT_MS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException backtracks) {
      return "slow";
    }
  }

  private String matches(String regex) {
    StringBuilder results = new StringBuilder();
    try {
      for (String topic : topics) results.append(topic.matches(regex) ? '1' : '0');
      return results.toString();
    } catch (PatternSyntaxException refused) {
      return "refused " + refused.getDescription();
    } catch (RuntimeException defect) {
      // Some odd classes compile, and then have a null in them.
      return "refused " + defect;
    }
  }
}
