/**
 * Count and checksum of values in any order; the same as in clients/Measure.ts. It looks at the number that each value
 * begins with and at four bytes whose place depends on it, so that it costs next to nothing.
 */
final class Checksum {
    static final int ID_DIGITS = 10;
    /** Behind {"id":" */
    private static final int ID_AT = 7;

    private int messages;
    private int sum;

    void add(byte[] value) {
        messages++;
        int high = word(value, ID_AT + 2);
        int low = word(value, ID_AT + 6);
        int mixed = (high * 31 + low) * 0x9E3779B1;
        int at = (mixed >>> 8) % (value.length - 3);
        sum += (mixed ^ word(value, at)) + value.length;
    }

    int messages() {
        return messages;
    }

    int sum() {
        return sum;
    }

    private static int word(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) | (bytes[at + 1] & 0xFF) << 8 | (bytes[at + 2] & 0xFF) << 16 | bytes[at + 3] << 24;
    }
}
