/** What a program says to the process that drives it: items of an answer, then one line that says how it went. */
final class Answers {
  private Answers() {}

  interface Step {
    void run() throws Exception;
  }

  /** Takes the step, and says "ok", or "failed" and why. */
  static void answer(Step step) {
    try {
      step.run();
      say("ok");
    } catch (Throwable failure) {
      failure.printStackTrace();
      Throwable cause = failure;
      while (cause.getCause() != null) cause = cause.getCause();
      say("failed " + cause.toString().replaceAll("\\s+", " "));
    }
  }

  /** Marked, since brokers and clients write to the same stream. */
  static void say(String line) {
    synchronized (System.out) {
      System.out.println("> " + line);
      System.out.flush();
    }
  }
}
