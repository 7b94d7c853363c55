import { ByteWriter } from '../../../support/produce/bytes';
import { framed, writeHeader } from '../definitions/writeRequest';
import type { Script } from '../script';
import { expectedFor } from './coordinator';
import { CLIENT_ID, SILENCE_MS, type Stage } from '../Stage';
import { createTopic } from '../topics';

const TOPIC = 'malformed';
const METADATA = 3;
const API_VERSIONS = 18;
/** More than any broker takes. */
const HUGE_BYTES = 0x7fff_ffff;

interface Odd {
  readonly note: string;
  readonly bytes: Buffer;
  /** As what an answer is read; default: Metadata in version 0. */
  readonly api?: string;
  readonly version?: number;
  /** A broker may wait for more, or pass it over. */
  readonly mayBeSilent?: boolean;
}

async function run(stage: Stage): Promise<void> {
  await createTopic(stage, TOPIC);
  await askAll(stage, [...unknownRequests(stage), ...frames(stage), ...bodies(stage)]);
  await severalAtOnce(stage);
}

/** Keys and versions that there are not. */
function unknownRequests(stage: Stage): Odd[] {
  const keys = [-1, 99, 1000].map((apiKey) => ({ note: `key ${apiKey}`, bytes: framed(header(apiKey, 0)) }));
  const versions = Object.entries(stage.release.versions).flatMap(([api, [, newest]]) => {
    const fields = api === 'Metadata' ? { topics: [{ name: TOPIC }] } : {};
    return [-1, newest + 1, newest + 2].map((version) => ({
      ...{ note: 'unknown version', bytes: framed(stage.request(api, version, fields)), api, version },
    }));
  });
  const newer = { note: 'unknown version', bytes: framed(header(API_VERSIONS, 99)) };
  return [...keys, ...versions, { ...newer, api: 'ApiVersions', version: 99 }];
}

function frames(stage: Stage): Odd[] {
  const good = stage.request('Metadata', 0, { topics: [{ name: TOPIC }] });
  return [
    { note: 'a frame of no bytes', bytes: framed(Buffer.alloc(0)), mayBeSilent: true },
    { note: 'a frame of one byte', bytes: framed(Buffer.alloc(1)), mayBeSilent: true },
    { note: 'a negative length', bytes: new ByteWriter().int32(-1).raw(good).toBuffer() },
    { note: 'a huge length', bytes: new ByteWriter().int32(HUGE_BYTES).raw(good).toBuffer() },
    { note: 'an HTTP request', bytes: Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n') },
    { note: 'a frame whose end is missing', bytes: framed(good).subarray(0, -3), mayBeSilent: true },
  ];
}

function bodies({ release }: Stage): Odd[] {
  const body = new ByteWriter().int32(1).string(TOPIC).toBuffer();
  const metadata = (bytes: Buffer): Buffer => framed(Buffer.concat([header(METADATA, 0), bytes]));
  const nameless = (length: number): Buffer => metadata(new ByteWriter().int32(1).int16(length).toBuffer());
  const withoutClient = writeHeader(METADATA, { version: 0, correlationId: -7, clientId: null }, false);
  return [
    { note: 'only the header', bytes: metadata(Buffer.alloc(0)) },
    { note: 'a body that is cut off', bytes: metadata(body.subarray(0, -2)) },
    { note: 'a huge array', bytes: metadata(new ByteWriter().int32(HUGE_BYTES).toBuffer()) },
    { note: 'a negative array', bytes: metadata(new ByteWriter().int32(-2).toBuffer()) },
    // Old brokers answer these, as topics without a name.
    ...(release.format === 0
      ? []
      : [
          { note: 'a negative string', bytes: nameless(-2) },
          { note: 'a null string', bytes: nameless(-1) },
        ]),
    { note: 'a header that is cut off', bytes: framed(header(METADATA, 0).subarray(0, 9)) },
    { note: 'no client id', bytes: framed(Buffer.concat([withoutClient, body])) },
    { note: 'bytes behind the body', bytes: metadata(Buffer.concat([body, Buffer.from('rest')])) },
  ];
}

/** Some requests in one packet, and one in several: the answers come in their order. */
async function severalAtOnce(stage: Stage): Promise<void> {
  const connection = await stage.connection(1, 'several');
  const count = 20;
  const requests = Array.from({ length: count }, (_, index) => {
    const topics = index % 2 === 0 ? [{ name: 'malformed nowhere' }] : [{ name: TOPIC }];
    return framed(stage.request('Metadata', 0, { topics }));
  });
  connection.send(Buffer.concat(requests));
  for (let index = 0; index < count; index++) {
    await stage.receive(connection, 'Metadata', 0, { note: `number ${index} of many` });
  }
  const request = framed(stage.request('Metadata', 0, { topics: [{ name: TOPIC }] }));
  for (const byte of request) {
    connection.send(Buffer.from([byte]));
    await new Promise(setImmediate);
  }
  await stage.receive(connection, 'Metadata', 0, { note: 'byte by byte' });
}

function header(apiKey: number, version: number): Buffer {
  return writeHeader(apiKey, { version, correlationId: 77, clientId: CLIENT_ID }, false);
}

/** Each on a connection of its own, one after the other: some brokers lose what comes together with an odd one. */
async function askAll(stage: Stage, odd: readonly Odd[]): Promise<void> {
  const expectedCoordinator = await expectedFor(stage, '');
  for (const [index, { note, bytes, api = 'Metadata', version = 0, mayBeSilent }] of odd.entries()) {
    const connection = await stage.connection(1, `odd ${index}`);
    connection.send(bytes);
    await stage.receive(connection, api, version, {
      note,
      ...(mayBeSilent === true && { timeoutMs: SILENCE_MS }),
      ...(api === 'FindCoordinator' && { expected: expectedCoordinator }),
    });
    connection.close();
  }
}

export const malformed: Script = { subject: 'Malformed requests', run };
