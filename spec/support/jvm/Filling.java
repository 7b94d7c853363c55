import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Messages by the number, which go round the partitions of a topic: text like JSON of exactly so many bytes, which
 * compresses as events of an application do. The same arguments make the same messages.
 */
final class Filling implements Sender.Source {
  private static final String[] WORDS = {
    "order", "paid", "shipped", "basket", "search", "result", "detail", "review", "mobile", "desktop", "berlin",
    "lisbon", "osaka", "express", "standard", "coupon", "retry", "timeout", "cached", "primary", "replica", "batch",
  };

  private final String topic;
  private final int partitions;
  private final long count;
  private final int valueBytes;
  /** Number of different keys; 0 for none. */
  private final int keys;
  private long at;
  private long random = 0x9E3779B97F4A7C15L;

  Filling(String topic, int partitions, long count, int valueBytes, int keys) {
    this.topic = topic;
    this.partitions = partitions;
    this.count = count;
    this.valueBytes = valueBytes;
    this.keys = keys;
  }

  @Override
  public Sender.Outgoing next() {
    if (at == count) return null;
    long number = at++;
    byte[] key = keys == 0 ? null : ("key-" + number % keys).getBytes(StandardCharsets.US_ASCII);
    return new Sender.Outgoing(topic, (int) (number % partitions), null, key, value(number), List.of());
  }

  private byte[] value(long number) {
    StringBuilder text = new StringBuilder(valueBytes + 16).append("{\"id\":").append(number)
        .append(",\"user\":\"u").append(random(100_000)).append("\",\"amount\":").append(random(10_000))
        .append(",\"text\":\"");
    while (text.length() < valueBytes) text.append(WORDS[random(WORDS.length)]).append(' ');
    text.setLength(Math.max(valueBytes - 2, 0));
    text.append("\"}").setLength(valueBytes);
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private int random(int bound) {
    random ^= random << 13;
    random ^= random >>> 7;
    random ^= random << 17;
    return (int) Long.remainderUnsigned(random, bound);
  }
}
