import type { Decoder } from '../types';

const view: Decoder<Buffer> = (bytes) => bytes;
const copy: Decoder<Buffer> = (bytes) => Buffer.from(bytes);
const utf8: Decoder<string> = (bytes) => bytes.toString('utf8');
const json: Decoder<unknown> = (bytes) => JSON.parse(bytes.toString('utf8')) as unknown;

/**
 * The decoders that come with the package. The default, `view`, copies nothing; a kept view keeps its whole fetch
 * response in memory.
 */
export const decoders = { view, copy, utf8, json } as const;
