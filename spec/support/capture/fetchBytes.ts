import { once } from 'node:events';
import { connect } from 'node:net';

import type { ServerAddress } from '../cluster/clusterFiles';
import { ByteWriter } from '../produce/bytes';
import { withDeadline } from '../waitFor';
import type { FetchQuestion, FetchVersion } from './captured';

const FETCH = 1;
const LIMIT_MS = 20_000;
const WAIT_MS = 500;

/** Asks for partition 0 of a topic on a connection of its own; resolves with the body of the answer. */
export async function fetchBytes(
  { host, port }: ServerAddress,
  topic: string,
  fetchVersion: FetchVersion,
  question: FetchQuestion,
): Promise<Buffer> {
  const socket = connect({ host, port });
  try {
    const closed = once(socket, 'close').then(() => {
      throw new Error(`the broker closed the connection at Fetch v${fetchVersion}`);
    });
    const answer = new Promise<Buffer>((resolve) => {
      let received = Buffer.alloc(0);
      socket.on('data', (chunk) => {
        received = Buffer.concat([received, chunk]);
        if (received.length >= 4 && received.length >= 4 + received.readInt32BE(0)) resolve(received);
      });
    });
    socket.write(new ByteWriter().bytes(request(topic, fetchVersion, question)).toBuffer());
    const got = await withDeadline(Promise.race([answer, closed]), LIMIT_MS, `Fetch v${fetchVersion}`);
    closed.catch(() => undefined);
    return got.subarray(8);
  } finally {
    socket.destroy();
  }
}

function request(
  topic: string,
  fetchVersion: FetchVersion,
  { isolation, offset, maxBytes }: FetchQuestion,
): Buffer {
  const writer = new ByteWriter().int16(FETCH).int16(fetchVersion).int32(1).string('capture');
  writer.int32(-1).int32(WAIT_MS).int32(1);
  if (fetchVersion >= 3) writer.int32(1 << 20);
  if (fetchVersion >= 4) writer.int8(isolation === 'read_committed' ? 1 : 0);
  if (fetchVersion >= 7) writer.int32(0).int32(-1); // no fetch session
  writer.int32(1).string(topic).int32(1).int32(0);
  if (fetchVersion >= 9) writer.int32(-1); // any leader epoch
  writer.int64(offset);
  if (fetchVersion >= 5) writer.int64(-1);
  writer.int32(maxBytes);
  if (fetchVersion >= 7) writer.int32(0);
  return writer.toBuffer();
}
