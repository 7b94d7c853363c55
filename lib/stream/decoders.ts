import type { Decoder } from '../types';

/**
 * The decoders that come with the package. The default, `view`, copies nothing; a kept view keeps its whole fetch
 * response in memory.
 */
export const decoders: {
  readonly view: Decoder<Buffer>;
  readonly copy: Decoder<Buffer>;
  readonly utf8: Decoder<string>;
  readonly json: Decoder<unknown>;
} = {
  view: (bytes) => bytes,
  copy: (bytes) => Buffer.from(bytes),
  utf8: (bytes) => bytes.toString('utf8'),
  json: (bytes) => JSON.parse(bytes.toString('utf8')) as unknown,
};
