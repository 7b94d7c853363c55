import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.types.BoundField;
import org.apache.kafka.common.protocol.types.Field;
import org.apache.kafka.common.protocol.types.Schema;
import org.apache.kafka.common.protocol.types.Struct;
import org.apache.kafka.common.protocol.types.TaggedFields;
import org.apache.kafka.common.protocol.types.Type;
import org.apache.kafka.common.record.MemoryRecords;

/**
 * Prints the layout of Kafka's own requests and answers in all versions, with a sample that Kafka wrote of each. To
 * make the fixture again, after a run of any spec with a Kafka 3.9.1 has brought the jars:
 *
 *   JARS=$(dirname "$(find .cluster/jars -name kafka-clients-3.9.1.jar | head -1)")
 *   java -cp "$JARS/*" spec/support/testing/KafkaSchemas.java > spec/fixtures/testing/kafkaSchemas.json
 */
public class KafkaSchemas {
  private static final ApiMessageType[] APIS = {
    ApiMessageType.PRODUCE, ApiMessageType.FETCH, ApiMessageType.LIST_OFFSETS, ApiMessageType.METADATA,
    ApiMessageType.OFFSET_COMMIT, ApiMessageType.OFFSET_FETCH, ApiMessageType.FIND_COORDINATOR,
    ApiMessageType.JOIN_GROUP, ApiMessageType.HEARTBEAT, ApiMessageType.LEAVE_GROUP, ApiMessageType.SYNC_GROUP,
    ApiMessageType.DESCRIBE_GROUPS, ApiMessageType.LIST_GROUPS, ApiMessageType.API_VERSIONS,
    ApiMessageType.INIT_PRODUCER_ID,
  };

  /** Counts the values of a sample, so that no two of them are the same by chance. */
  private static int count;

  public static void main(String[] args) {
    StringJoiner apis = new StringJoiner(",\n", "[\n", "\n]");
    for (ApiMessageType api : APIS) {
      apis.add("{\"key\": " + api.apiKey() + ", \"name\": \"" + api.name + "\",\n\"requestHeaders\": \""
          + headers(api, true) + "\", \"answerHeaders\": \"" + headers(api, false) + "\",\n\"request\": "
          + layouts(api.requestSchemas()) + ",\n\"answer\": " + layouts(api.responseSchemas()) + "}");
    }
    System.out.println(apis);
  }

  /** One digit for each version: the version of the header that goes with it. */
  private static String headers(ApiMessageType api, boolean isRequest) {
    StringBuilder digits = new StringBuilder();
    for (short version = 0; version < api.requestSchemas().length; version++) {
      digits.append(isRequest ? api.requestHeaderVersion(version) : api.responseHeaderVersion(version));
    }
    return digits.toString();
  }

  /** Versions that follow each other and have the same layout share an entry. */
  private static String layouts(Schema[] schemas) {
    StringJoiner all = new StringJoiner(",\n", "[\n", "\n]");
    for (int first = 0, next; first < schemas.length; first = next) {
      String fields = fields(schemas[first]);
      for (next = first + 1; next < schemas.length && fields(schemas[next]).equals(fields); next++) {}
      all.add("{\"first\": " + first + ", \"last\": " + (next - 1) + ", \"fields\": \"" + fields
          + "\",\n  \"sample\": \"" + sample(schemas[first]) + "\"}");
    }
    return all.toString();
  }

  /** Fields in their order; tagged ones in angle brackets behind them, with their numbers, if the version is flexible. */
  private static String fields(Schema schema) {
    StringJoiner all = new StringJoiner(" ", "{", "}");
    for (BoundField bound : schema.fields()) {
      Type type = bound.def.type;
      all.add(type instanceof TaggedFields ? tagged((TaggedFields) type) : camelCase(bound.def.name) + ":" + name(type));
    }
    return all.toString();
  }

  private static String tagged(TaggedFields section) {
    StringJoiner all = new StringJoiner(" ", "<", ">");
    fieldsOf(section).forEach((tag, field) -> all.add(tag + "=" + camelCase(field.name) + ":" + name(field.type)));
    return all.toString();
  }

  private static String name(Type type) {
    if (type instanceof Schema) return fields((Schema) type);
    if (!type.isArray()) return type.toString();
    return "[" + name(type.arrayElementType().get()) + "]" + (type.isNullable() ? "?" : "");
  }

  private static String camelCase(String name) {
    StringBuilder result = new StringBuilder();
    for (String word : name.split("_")) {
      result.append(result.length() == 0 ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
    }
    return result.toString();
  }

  private static String sample(Schema schema) {
    count = 0;
    Struct struct = filled(schema);
    ByteBuffer bytes = ByteBuffer.allocate(schema.sizeOf(struct));
    schema.write(bytes, struct);
    return Base64.getEncoder().encodeToString(bytes.array());
  }

  private static Struct filled(Schema schema) {
    Struct struct = new Struct(schema);
    for (BoundField bound : schema.fields()) struct.set(bound, value(bound.def.type));
    return struct;
  }

  private static Object value(Type type) {
    count++;
    if (type instanceof Schema) return filled((Schema) type);
    if (type instanceof TaggedFields) {
      Map<Integer, Object> values = new TreeMap<>();
      fieldsOf((TaggedFields) type).forEach((tag, field) -> values.put(tag, value(field.type)));
      return values;
    }
    // Some of the values that can be null are.
    if (type.isNullable() && count % 5 == 0) return null;
    if (type.isArray()) {
      Type element = type.arrayElementType().get();
      return new Object[] {value(element), value(element)};
    }
    switch (type.toString()) {
      case "BOOLEAN": return true;
      case "INT8": return (byte) -count;
      case "INT16": return (short) (count - 300);
      case "INT32": return count << 20;
      case "INT64": return (1L << 40) - count;
      case "UUID": return new Uuid(count, -count);
      case "STRING": case "COMPACT_STRING": case "NULLABLE_STRING": case "COMPACT_NULLABLE_STRING":
        return "ü" + count;
      case "BYTES": case "COMPACT_BYTES":
        return ByteBuffer.wrap(new byte[] {1, (byte) count});
      case "RECORDS": case "COMPACT_RECORDS":
        return MemoryRecords.readableRecords(ByteBuffer.wrap(new byte[] {2, (byte) count, 3}));
      default: throw new IllegalArgumentException(type.toString());
    }
  }

  /** Kafka shows the number of tagged fields only. */
  @SuppressWarnings("unchecked")
  private static Map<Integer, Field> fieldsOf(TaggedFields section) {
    try {
      java.lang.reflect.Field fields = TaggedFields.class.getDeclaredField("fields");
      fields.setAccessible(true);
      return new TreeMap<>((Map<Integer, Field>) fields.get(section));
    } catch (ReflectiveOperationException error) {
      throw new IllegalStateException(error);
    }
  }
}
