const NUMBER = /^[+-]?\d+$/;
const ADDRESS_BITS = 32;

/** Of the dotted form, as a number; null if it is none. */
function parseAddress(text: string): number | null {
  const parts = text.split('.');
  if (parts.length !== 4) return null;
  let address = 0;
  for (const part of parts) {
    const value = NUMBER.test(part) ? Number(part) : -1;
    if (value < 0 || value > 255) return null;
    address = address * 256 + value;
  }
  return address;
}

/** Address and number of its bits that count; null for what the servers do not understand. */
function parseRange(text: string): { readonly address: number; readonly bits: number } | null {
  const slash = text.indexOf('/');
  const address = parseAddress(slash < 0 ? text : text.slice(0, slash));
  if (address === null) return null;
  if (slash < 0) return { address, bits: ADDRESS_BITS };
  const length = text.slice(slash + 1);
  const bits = NUMBER.test(length) ? Number(length) : -1;
  return bits < 0 || bits > ADDRESS_BITS ? null : { address, bits };
}

export function isAddress(text: string): boolean {
  return parseAddress(text) !== null;
}

/** An address, or one with the number of its bits that count, such as "10.0.0.0/8". */
export function isAddressRange(text: string): boolean {
  return parseRange(text) !== null;
}

export function isInRange(address: string, range: string): boolean {
  const wanted = parseRange(range);
  const given = parseAddress(address);
  if (wanted === null || given === null) return false;
  const blockSize = 2 ** (ADDRESS_BITS - wanted.bits);
  return Math.floor(given / blockSize) === Math.floor(wanted.address / blockSize);
}
