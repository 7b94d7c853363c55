import java.util.Map;

/** What the parent process reads: one JSON object per line on stdout. */
final class JsonLines {
  private JsonLines() {}

  /** The fields are names and values in turn, the values as JSON. */
  static void print(String event, String... fields) {
    StringBuilder json = new StringBuilder("{\"event\":").append(quote(event));
    for (int i = 0; i < fields.length; i += 2) json.append(',').append(quote(fields[i])).append(':').append(fields[i + 1]);
    synchronized (System.out) {
      System.out.println(json.append('}'));
      System.out.flush();
    }
  }

  static String object(Map<String, String> texts) {
    StringBuilder json = new StringBuilder();
    texts.forEach((name, text) ->
        json.append(json.length() == 0 ? "" : ",").append(quote(name)).append(':').append(quote(text)));
    return "{" + json + "}";
  }

  static String quote(String text) {
    if (text == null) return "null";
    StringBuilder json = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') json.append('\\').append(c);
      else if (c < ' ' || c > '~') json.append(String.format("\\u%04x", (int) c));
      else json.append(c);
    }
    return json.append('"').toString();
  }
}
