import diagnostics from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { inspect } from 'node:util';

import { ConnectorError } from '../../../lib';

/** How the process fares, since the last time that it said so. */
export interface Vitals {
  readonly rssBytes: number;
  /** Heap and buffers together. */
  readonly usedBytes: number;
  /** The longest that the event loop was late. */
  readonly delayMs: number;
  /** The largest buffer that anybody has asked for since the start. */
  readonly largestBytes: number;
}

/** One line on stdout of a process under test. */
export type SubjectLine =
  | { readonly line: 'alive'; readonly vitals: Vitals }
  | { readonly line: 'read'; readonly port: number; readonly bytes: number }
  | { readonly line: 'fault'; readonly what: string }
  | { readonly line: 'done'; readonly result: unknown };

const ALIVE_MS = 200;
const TICK_MS = 20;

function print(line: SubjectLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

export function fault(what: string, error?: unknown): void {
  print({ line: 'fault', what: error === undefined ? what : `${what}: ${inspect(error)}` });
}

/** How requests ended: `right`, or the code of their error. */
export type Outcomes = Record<string, number>;

/** Waits for `work`, which has to settle in time, with a result of the promised type or with a ConnectorError. */
export async function settled<T>(
  what: string,
  limitMs: number,
  work: () => Promise<T>,
  { outcomes, isRight = () => true }: { outcomes?: Outcomes; isRight?: (result: T) => boolean } = {},
): Promise<T | undefined> {
  const startMs = performance.now();
  const timer = setTimeout(() => fault(`${what} has not settled within ${limitMs} ms`), limitMs);
  const note = (outcome: string): void => {
    if (outcomes) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  try {
    const result = await work();
    if (!isRight(result)) fault(`${what} resolved with ${JSON.stringify(result)}`);
    note('right');
    return result;
  } catch (error) {
    if (!ConnectorError.is(error)) fault(`${what} rejected with what is no ConnectorError`, error);
    note(ConnectorError.is(error) ? error.code : 'other');
    return undefined;
  } finally {
    clearTimeout(timer);
    const tookMs = performance.now() - startMs;
    if (tookMs > limitMs) fault(`${what} has settled after ${Math.round(tookMs)} ms, not ${limitMs}`);
  }
}

/** Each socket tells how much it has read, when it is closed. */
function watchSockets(): void {
  diagnostics.subscribe('net.client.socket', (message) => {
    const { socket } = message as { readonly socket: Socket };
    let port = 0;
    socket.once('connect', () => (port = socket.localPort ?? 0));
    // Not an event: giving a connection up takes its listeners away.
    const destroy = socket._destroy.bind(socket);
    socket._destroy = (error, callback) => {
      const done = (failure: Error | null): void => {
        if (port !== 0) print({ line: 'read', port, bytes: socket.bytesRead });
        callback(failure);
      };
      destroy(error, done as typeof callback);
    };
  });
}

let largestBytes = 0;

/** An answer of some bytes must not make the process ask for gigabytes. */
function watchBuffers(): void {
  for (const name of ['alloc', 'allocUnsafe', 'allocUnsafeSlow'] as const) {
    const original = Buffer[name].bind(Buffer) as (sizeBytes: number, ...rest: unknown[]) => Buffer;
    const counting = (sizeBytes: number, ...rest: unknown[]): Buffer => {
      largestBytes = Math.max(largestBytes, sizeBytes);
      return original(sizeBytes, ...rest);
    };
    Object.assign(Buffer, { [name]: counting });
  }
}

let delayMs = 0;

function alive(): void {
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  print({
    line: 'alive',
    vitals: { rssBytes: rss, usedBytes: heapUsed + arrayBuffers, delayMs, largestBytes },
  });
  delayMs = 0;
}

function watchTime(): void {
  let lastMs = performance.now();
  let aliveMs = 0;
  setInterval(() => {
    const nowMs = performance.now();
    delayMs = Math.max(delayMs, nowMs - lastMs - TICK_MS);
    lastMs = nowMs;
    if (nowMs - aliveMs < ALIVE_MS) return;
    aliveMs = nowMs;
    alive();
  }, TICK_MS).unref();
}

/**
 * Makes this process a subject: it tells how it fares, and does what the lines on stdin name, one after the other. After
 * `end` it ends by itself, since nothing keeps it; the end of stdin before that ends it at once. Nothing is caught that would
 * end the process.
 */
export function runSubject(commands: Readonly<Record<string, () => Promise<unknown>>>): void {
  watchSockets();
  watchBuffers();
  watchTime();
  let isEnding = false;
  const input = createInterface({ input: process.stdin });
  let last = Promise.resolve();
  input.on('line', (name) => {
    last = last.then(async () => {
      if (name === 'end') {
        isEnding = true;
        input.close();
        process.stdin.destroy();
        return;
      }
      const result = await commands[name]?.();
      globalThis.gc?.();
      alive();
      print({ line: 'done', result: result ?? null });
    });
  });
  input.on('close', () => {
    if (!isEnding) process.exit(3);
  });
}
