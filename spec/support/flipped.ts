/** A copy in which a bit of that text is wrong; the same bytes if the text is not among them. */
export function flipped(bytes: Buffer, text: string): Buffer {
  const at = bytes.indexOf(text);
  if (at < 0) return bytes;
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}
