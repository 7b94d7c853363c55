import { KafkaClient } from 'kafka-node';
import type { Socket } from 'node:net';
import { ConnectorError } from '../errors';
import { brokerAddress } from './brokerVersions';
import { errorText } from './errorText';

export interface BrokerSocketOptions {
  readonly host: string;
  readonly port: number;
  readonly clientId: string;
  /** Deadline for the connection to be open. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** What is used of kafka-node's client; its own types leave most of it out. */
interface SocketSource {
  /** Set while the client shuts down: then a closed socket is no reason to look for the other brokers. */
  closing: boolean;
  /** Called at the first moment of a connection, to send ApiVersions and to log in. */
  initializeBroker: () => void;
  createBroker(host: string, port: number, longPolling: boolean): { readonly socket: KafkaNodeSocket };
}

/** A socket as kafka-node leaves it. */
type KafkaNodeSocket = Socket & {
  /** Set once the socket is not to be opened again when it closes. */
  closing?: boolean;
};

type SocketSourceClass = new (options: {
  readonly kafkaHost: string;
  readonly clientId: string;
  readonly autoConnect: false;
}) => SocketSource;

const MAX_PORT = 65_535;

const noop = (): void => undefined;

/**
 * Opens a connection to a broker by way of kafka-node, which makes the socket (and is where TLS and SASL have their place).
 * From there on the socket is ours alone: kafka-node sends nothing on it, reads nothing from it and does not open it again,
 * since its parser neither bounds a frame nor survives a wrong one, and its retries would live on behind our back.
 *
 * The socket is returned paused: attach the 'data' listener, then `resume()`. It has an 'error' listener for good.
 */
export function openBrokerSocket(options: BrokerSocketOptions): Promise<Socket> {
  const { timeoutMs, signal } = options;
  const broker = brokerAddress(options);
  const failure = (why: string, cause?: unknown): ConnectorError =>
    new ConnectorError('BROKER_UNREACHABLE', `cannot connect to broker ${broker}: ${why}`, { broker, cause });
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(failure('aborted', signal.reason));
      return;
    }
    let socket: Socket;
    try {
      socket = createSocket(options);
    } catch (error) {
      reject(failure(errorText(error), error));
      return;
    }
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      socket.off('connect', onConnect).off('error', onError).off('close', onClose);
    };
    const fail = (why: string, cause?: unknown): void => {
      settle();
      socket.destroy();
      reject(failure(why, cause));
    };
    const onConnect = (): void => {
      settle();
      socket.setNoDelay(true);
      resolve(socket);
    };
    const onError = (error: Error): void => fail(errorText(error), error);
    const onClose = (): void => fail('the connection was closed at once');
    const onAbort = (): void => fail('aborted', signal?.reason);
    const timer = setTimeout(() => fail(`not open within ${timeoutMs} ms`), timeoutMs);
    signal?.addEventListener('abort', onAbort);
    socket.on('connect', onConnect).on('error', onError).on('close', onClose);
  });
}

function createSocket({ host, port, clientId }: BrokerSocketOptions): Socket {
  // Node refuses such a port too, but only once the socket has a handle, which nobody could close.
  if (!Number.isInteger(port) || port < 1 || port > MAX_PORT) throw new RangeError(`${port} is not a port`);
  const Source = KafkaClient as unknown as SocketSourceClass;
  const source = new Source({ kafkaHost: `${host}:${port}`, clientId, autoConnect: false });
  source.closing = true;
  source.initializeBroker = noop;
  const { socket } = source.createBroker(host, port, true);
  socket.closing = true;
  socket.removeAllListeners('data');
  socket.on('error', noop);
  socket.pause();
  return socket;
}
