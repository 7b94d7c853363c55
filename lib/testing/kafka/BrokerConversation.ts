import type { ClientConnection, Conversation } from '../network/Conversation';
import { flexibleSinceOf, onUnreadable, readingOf } from './apiVersions';
import type { KafkaState } from './KafkaState';
import { readHeader, readRequest, writeAnswer, type RequestHeader } from './protocol/Api';
import { apiVersions } from './protocol/apiVersions';
import type { RequestFailures } from './RequestFailures';
import { unsupportedApiVersions } from './requests/apiVersions';
import type { RequestContext } from './requests/Route';
import { ROUTES } from './requests/routes';

/** The broker behind its connections. */
export interface AnsweringBroker {
  readonly id: number;
  readonly cluster: KafkaState;
  readonly failures: RequestFailures;
  /** Something in here went wrong that should not. */
  readonly onFault: (error: unknown) => void;
}

const KEY_BYTES = 2;
const CLIENT_HOST = '/127.0.0.1';

/** What a broker does with a connection: it answers one request after the other, and hears nothing meanwhile. */
export class BrokerConversation implements Conversation {
  readonly #connection: ClientConnection;
  readonly #broker: AnsweringBroker;
  readonly #gone = new AbortController();

  constructor(connection: ClientConnection, broker: AnsweringBroker) {
    this.#connection = connection;
    this.#broker = broker;
  }

  async received(frame: Buffer): Promise<void> {
    if (this.#gone.signal.aborted) return;
    try {
      await this.#answer(frame);
    } catch (error) {
      // A RangeError is the client's doing, and what real brokers end the connection for.
      if (!(error instanceof RangeError)) this.#broker.onFault(error);
      this.#hangUp();
    }
  }

  closed(): void {
    this.#gone.abort();
  }

  async #answer(frame: Buffer): Promise<void> {
    const { cluster, id, failures } = this.#broker;
    const { generation } = cluster;
    const read = this.#read(frame);
    if (read === null) return;
    const { header, request } = read;
    const route = ROUTES.get(header.apiKey);
    if (route === undefined) {
      this.#hangUp();
      return;
    }
    const context: RequestContext = {
      ...{ header, generation, cluster },
      ...{ clientHost: CLIENT_HOST, signal: this.#gone.signal, brokerId: id },
    };
    const answer = failures.take(request, context) ?? (await route.handle(request, context));
    if (answer === null || this.#gone.signal.aborted) return;
    this.#connection.send(writeAnswer(route.api, header, answer));
  }

  /** Null if there is nothing to handle any more. */
  #read(frame: Buffer): { readonly header: RequestHeader; readonly request: unknown } | null {
    const { generation } = this.#broker.cluster;
    // What has not even a key is passed over by brokers of 0.10.2.
    if (generation === '0.10.2' && frame.length < KEY_BYTES) return null;
    try {
      const { header, body } = readHeader(frame, (apiKey) => flexibleSinceOf(generation, apiKey));
      this.#connection.client = header.clientId;
      const version = readingOf(generation, header);
      if (typeof version === 'number') {
        const api = ROUTES.get(header.apiKey)?.api;
        return { header: { ...header, version }, request: api && readRequest(api, version, body) };
      }
      if (version === 'close') this.#hangUp();
      else if (version === 'unsupported') this.#sendUnsupported(header);
      return null;
    } catch (error) {
      if (!(error instanceof RangeError) || onUnreadable(generation) === 'close') throw error;
      return null;
    }
  }

  #sendUnsupported(header: RequestHeader): void {
    const answer = unsupportedApiVersions(this.#broker.cluster.generation);
    this.#connection.send(writeAnswer(apiVersions, { ...header, version: 0 }, answer));
  }

  /** In order, behind the answers that were sent. */
  #hangUp(): void {
    this.closed();
    this.#connection.end();
  }
}
