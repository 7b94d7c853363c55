import type { RandomNumbers } from '../../network/RandomNumbers';
import { randomId } from '../randomId';

/** A name with a random UUID (version 4) behind it, as members get it for an id. */
export function memberIdOf(name: string, random: RandomNumbers): string {
  const bytes = randomId(random);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(bytes.toString('hex'))?.slice(1) ?? [];
  return [name, ...parts].join('-');
}
