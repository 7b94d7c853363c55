import type { AuthIds } from '../acl/AuthIds';
import { digestOf } from '../acl/digest';
import type { JuteReader } from '../jute/JuteReader';

/**
 * Adds what a client proves to its ids.
 *
 * @returns whether it has proved anything
 */
export function authenticate(request: JuteReader, ids: AuthIds): boolean {
  request.int32();
  const scheme = request.textOrNull();
  const proof = request.bytesOrNull();
  // The address has been taken from the connection.
  if (scheme === 'ip') return true;
  if (scheme !== 'digest' || proof === null) return false;
  ids.add({ scheme, id: digestOf(proof.toString()) });
  return true;
}
