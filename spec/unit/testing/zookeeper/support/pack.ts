/** A field of a record: number = 4 bytes, bigint = 8 bytes, list = its length and items, `raw` = bytes as they are. */
export type Field =
  number | bigint | boolean | string | null | Buffer | { readonly raw: Buffer } | readonly Field[];

/** Writes jute, with an encoder that shares nothing with the servers'. */
export function pack(...fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.map(packOne));
}

function packOne(field: Field): Buffer {
  if (field === null) return int32(-1);
  switch (typeof field) {
    case 'number':
      return int32(field);
    case 'bigint': {
      const bytes = Buffer.alloc(8);
      bytes.writeBigInt64BE(field);
      return bytes;
    }
    case 'boolean':
      return Buffer.from([field ? 1 : 0]);
    case 'string':
      return packOne(Buffer.from(field));
  }
  if ('raw' in field) return field.raw;
  if (Buffer.isBuffer(field)) return Buffer.concat([int32(field.length), field]);
  return Buffer.concat([int32(field.length), ...field.map(packOne)]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
