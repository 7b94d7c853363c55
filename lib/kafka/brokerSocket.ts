import { KafkaClient } from 'kafka-node';
import { isIP, type OnReadOpts, type Socket, type TcpNetConnectOpts } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { ConnectorError } from '../errors';
import type { TlsSettings } from './brokerSecurity';
import { brokerAddress } from './brokerVersions';
import { EarlyBytes, type BytesSink } from './EarlyBytes';
import { errorText, isHangUp } from './errorText';
import { tlsAdvice } from './tlsAdvice';

export interface BrokerSocketOptions {
  readonly host: string;
  readonly port: number;
  readonly clientId: string;
  /** Deadline for the connection to be open, the TLS handshake included. */
  readonly timeoutMs: number;
  /** Without it the connection is a plain one. */
  readonly tls?: TlsSettings | undefined;
  readonly signal?: AbortSignal;
}

/** An open connection. */
export interface BrokerSocket {
  /** It has an 'error' listener for good, and never emits 'data'. */
  readonly socket: Socket;
  /** Starts reading. */
  readonly readInto: (sink: BytesSink) => void;
}

/** What is used of kafka-node's client; its own types leave most of it out. */
interface SocketSource {
  /** Set while the client shuts down: then a closed socket is no reason to look for the other brokers. */
  closing: boolean;
  /** Called at the first moment of a connection, to send ApiVersions and to log in. */
  initializeBroker: () => void;
  /** Calls `tls.connect(port, host, sslOptions)` or `net.createConnection(port, host)`; the latter takes options for a port. */
  createBroker(
    host: string,
    port: number | ReadingOptions,
    longPolling: boolean,
  ): { readonly socket: KafkaNodeSocket };
}

/** `onread` is what makes Node read into memory of ours. */
type ReadingOptions = TcpNetConnectOpts & { readonly onread: OnReadOpts };

/** A socket as kafka-node leaves it. */
type KafkaNodeSocket = Socket & {
  /** Set once the socket is not to be opened again when it closes. */
  closing?: boolean;
};

type SocketSourceClass = new (options: {
  readonly kafkaHost: string;
  readonly clientId: string;
  readonly autoConnect: false;
  /** Passed to tls.connect; without it the socket is a plain one. */
  readonly sslOptions?: ConnectionOptions & { readonly onread: OnReadOpts };
}) => SocketSource;

const MAX_PORT = 65_535;

const noop = (): void => undefined;

/**
 * Opens a connection to a broker by way of kafka-node, which makes the socket, plain or TLS.
 * From there on the socket is ours alone: kafka-node sends nothing on it, reads nothing from it and does not open it again,
 * since its parser neither bounds a frame nor survives a wrong one, and its retries would live on behind our back.
 */
export function openBrokerSocket(options: BrokerSocketOptions): Promise<BrokerSocket> {
  const { timeoutMs, tls, signal } = options;
  const broker = brokerAddress(options);
  const failure = (why: string, cause?: unknown): ConnectorError => {
    const advice = tls && tlsAdvice(cause);
    // What Node says of a certificate for another host may end with a list that is empty.
    const what = advice === undefined ? why : `${why.replace(/[: ]+$/, '')}: ${advice}`;
    const text = `cannot connect to broker ${broker}: ${what}`;
    return new ConnectorError(advice === undefined ? 'BROKER_UNREACHABLE' : 'BROKER_ERROR', text, {
      broker,
      cause,
    });
  };
  /** A plain listener takes the first bytes of TLS for the length of an enormous request, and hangs up. */
  const hint = tls ? '; if this happens always, the listener has no TLS: look at security.protocol' : '';
  const opened = tls ? 'secureConnect' : 'connect';
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(failure('aborted', signal.reason));
      return;
    }
    const bytes = new EarlyBytes();
    let socket: Socket;
    try {
      socket = createSocket(options, bytes.onread);
    } catch (error) {
      reject(failure(errorText(error), error));
      return;
    }
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      socket.off(opened, onConnect).off('error', onError).off('close', onClose);
    };
    const fail = (why: string, cause?: unknown): void => {
      settle();
      socket.destroy();
      reject(failure(why, cause));
    };
    const onConnect = (): void => {
      settle();
      socket.setNoDelay(true);
      resolve({
        socket,
        readInto: (sink) => {
          bytes.goTo(sink);
          socket.resume();
        },
      });
    };
    const onError = (error: Error): void => fail(`${errorText(error)}${isHangUp(error) ? hint : ''}`, error);
    const onClose = (): void => fail(`the connection was closed at once${hint}`);
    const onAbort = (): void => fail('aborted', signal?.reason);
    const timer = setTimeout(() => fail(`not open within ${timeoutMs} ms${hint}`), timeoutMs);
    signal?.addEventListener('abort', onAbort);
    socket.on(opened, onConnect).on('error', onError).on('close', onClose);
  });
}

function createSocket({ host, port, clientId, tls }: BrokerSocketOptions, onread: OnReadOpts): Socket {
  // Node refuses such a port too, but only once the socket has a handle, which nobody could close.
  if (!Number.isInteger(port) || port < 1 || port > MAX_PORT) throw new RangeError(`${port} is not a port`);
  const Source = KafkaClient as unknown as SocketSourceClass;
  const source = new Source({
    ...{ kafkaHost: `${host}:${port}`, clientId, autoConnect: false },
    ...(tls && { sslOptions: { ...tlsOptions(host, tls), onread } }),
  });
  source.closing = true;
  source.initializeBroker = noop;
  const { socket } = source.createBroker(host, tls ? port : { host, port, onread }, true);
  socket.closing = true;
  socket.removeAllListeners('data');
  socket.on('error', noop);
  socket.pause();
  return socket;
}

function tlsOptions(host: string, { context, checkHostName }: TlsSettings): ConnectionOptions {
  return {
    secureContext: context,
    rejectUnauthorized: true,
    // Checked against the certificate; as a name for the server to choose by, it must not be an address.
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(!checkHostName && { checkServerIdentity: () => undefined }),
  };
}
