import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

import { silentLogger } from '../../../lib/logger';
import { ZookeeperSession, type SessionOptions } from '../../../lib/zookeeper/ZookeeperSession';
import { fault, runSubject, settled, type Outcomes } from './subject';

/** What the parent hands over as the first argument, as JSON. */
export interface SessionSubjectOptions {
  readonly servers: string;
  readonly chroot: string;
  readonly sessionTimeoutMs: number;
  /** Sessions at the same time. */
  readonly slots: number;
}

/** What a busy machine may add. */
const MARGIN_MS = 1500;
/** A session is closed after this time, if it lives so long, whatever is unanswered then. */
const LIFE_MS = 3000;
const OPEN_MS = 1000;
/** That `open` may take longer than asked, and `close` on the whole. */
const ABANDON_MS = 500;
const CLOSE_MS = 2000;
/** No server grants sixty times what was asked for: with that, silence would be noticed by nobody. */
const MOST_GRANTED_MS = 60_000;

const options = JSON.parse(process.argv[2] ?? '{}') as SessionSubjectOptions;
const outcomes: Outcomes = {};
let isStopping = false;
let stop = (): void => undefined;
const stopping = new Promise<void>((resolve) => (stop = resolve));

const isText = (value: unknown): boolean => typeof value === 'string';

function sessionOptions(): SessionOptions {
  const { servers, chroot, sessionTimeoutMs } = options;
  return {
    ...{ servers, chroot, sessionTimeoutMs, connectionTimeoutMs: OPEN_MS, logger: silentLogger },
    onWatch: (path: unknown) => {
      if (!isText(path)) fault(`onWatch was told ${String(path)}`);
    },
    onState: () => undefined,
  };
}

/** Every kind of request at once, each with its own deadline. */
async function round(session: ZookeeperSession, slot: number): Promise<void> {
  const { timeoutMs } = session;
  if (timeoutMs > MOST_GRANTED_MS) fault(`a session timeout of ${timeoutMs} ms was believed`);
  const limitMs = timeoutMs + MARGIN_MS;
  const home = `/mutated/${slot}`;
  const ask = <T>(what: string, work: () => Promise<T>, isRight?: (result: T) => boolean): Promise<unknown> =>
    settled(what, limitMs, work, { outcomes, ...(isRight && { isRight }) });
  const isStat = (stat: { version: number; ephemeralOwner: string } | null): boolean =>
    stat === null || (Number.isInteger(stat.version) && isText(stat.ephemeralOwner));
  await Promise.all([
    ask('exists', () => session.exists(home, { watch: true }), isStat),
    ask('exists of an absent node', () => session.exists(`${home}/none`, { watch: true }), isStat),
    ask(
      'read',
      () => session.read(home, { watch: true }),
      (node) => isStat(node) && (node === null || Buffer.isBuffer(node.data)),
    ),
    ask(
      'children',
      () => session.children(home, { watch: true }),
      (names) => names === null || (Array.isArray(names) && names.every(isText)),
    ),
    ask(
      'children of the parent',
      () => session.children('/mutated'),
      (names) => names === null || names.every(isText),
    ),
    ask('create', () => session.createWithParents(`${home}/e`, Buffer.from('1'), 'ephemeral'), isText),
    ask('write', () => session.write(home, Buffer.from(String(performance.now()))), isText),
    ask('remove', () => session.remove(`${home}/e`), isText),
  ]);
}

async function live(slot: number): Promise<void> {
  while (!isStopping) {
    const session = await settled(
      'open',
      OPEN_MS + ABANDON_MS + MARGIN_MS,
      () => ZookeeperSession.open(sessionOptions()),
      { outcomes },
    );
    if (session === undefined) continue;
    const requests = (async () => {
      while (session.state !== 'lost' && session.state !== 'closed') await round(session, slot);
    })();
    await Promise.race([requests, delay(LIFE_MS), stopping]);
    await settled('close', CLOSE_MS + MARGIN_MS, () => session.close());
    await settled('what was asked of a closed session', MARGIN_MS, () => requests);
  }
}

/** A new session, which nothing disturbs. */
async function beSound(): Promise<unknown> {
  const session = await ZookeeperSession.open(sessionOptions());
  const path = '/mutated/sound';
  const results = [
    await session.createWithParents(path, Buffer.from('1'), 'ephemeral'),
    await session.write(path, Buffer.from('2')),
    (await session.read(path))?.data.toString(),
    (await session.exists(path))?.ephemeralOwner === session.id,
    (await session.children('/mutated'))?.includes('sound'),
    await session.remove(path),
    session.timeoutMs,
  ];
  await session.close();
  return results;
}

let living: Promise<unknown> = Promise.resolve();

runSubject({
  start: () => {
    living = Promise.all(Array.from({ length: options.slots }, (_, slot) => live(slot)));
    return Promise.resolve();
  },
  stop: async () => {
    isStopping = true;
    stop();
    await living;
    return outcomes;
  },
  sound: beSound,
});
