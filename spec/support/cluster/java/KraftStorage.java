import java.io.File;
import java.io.PrintStream;

/** The folders of a broker in KRaft, which does not start on empty ones. */
final class KraftStorage {
  /** 16 bytes in base64url; any will do, since every cluster has a folder of its own. */
  private static final String CLUSTER_ID = "c3BlYy1rcmFmdC1pZC0wMQ";

  private KraftStorage() {}

  /** Does nothing to folders that have been formatted before. */
  static void format(File settings) throws Exception {
    String[] arguments = {"format", "--ignore-formatted", "--config", settings.getPath(), "--cluster-id", CLUSTER_ID};
    Object code = Class.forName("kafka.tools.StorageTool")
        .getMethod("execute", String[].class, PrintStream.class)
        .invoke(null, arguments, System.err);
    if (!code.equals(0)) throw new IllegalStateException("the storage tool ended with " + code);
  }
}
