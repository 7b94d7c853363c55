/** What `String.hashCode()` is in Java: a signed 32-bit number over the UTF-16 units. */
export function javaHashCode(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index += 1) {
    hash = (Math.imul(31, hash) + text.charCodeAt(index)) | 0;
  }
  return hash;
}
