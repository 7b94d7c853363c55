import type { Part } from '../definitions/PartReader';
import { OTHER_ENCODER } from '../KnownNames';
import type { Release } from '../releases';

/**
 * Whether brokers compress sets anew that come, or are asked for, in this format: those of 0.8 do it with all, for the
 * offsets inside, and later ones with what is not in their own format.
 */
export function isRecompressed(release: Release, format: number): boolean {
  return release.format === 0 || format < release.format;
}

const COMPRESSED = '.compressed';
const CUT_OFF = '(cut off)';

/**
 * The same parts, of which those are renamed that depend on how something was compressed: its bytes, sizes and checksums,
 * and the beginning of an entry with which brokers that convert a set fill it up to the size of what they have converted.
 */
export function compressedFields(parts: readonly Part[]): Part[] {
  const dependent = new Set<string>();
  for (const { field } of parts) {
    if (!field.endsWith(COMPRESSED)) continue;
    const entry = field.slice(0, -COMPRESSED.length);
    for (const name of [
      `${entry}.size`,
      `${entry}.crc`,
      `${entry}.value.size`,
      field,
      `${setOf(entry)}.size`,
    ]) {
      dependent.add(name);
    }
  }
  return parts.map((part) => {
    const isFill = part.field.endsWith(CUT_OFF) && dependent.has(`${setOf(part.field)}.size`);
    return isFill || dependent.has(part.field) ? { ...part, field: part.field + OTHER_ENCODER } : part;
  });
}

function setOf(entry: string): string {
  return entry.slice(0, entry.lastIndexOf('['));
}
