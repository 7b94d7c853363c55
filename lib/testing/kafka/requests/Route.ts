import type { Generation } from '../Generation';
import type { KafkaState } from '../KafkaState';
import type { Api, RequestHeader } from '../protocol/Api';

/** What a request needs to know beside its own fields. */
export interface RequestContext {
  readonly header: RequestHeader;
  /** Address of the client, as brokers write it into a group's members: "/127.0.0.1". */
  readonly clientHost: string;
  /** Aborted when the connection has gone or the broker stops: nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Id of the broker that was asked. */
  readonly brokerId: number;
  readonly generation: Generation;
  /** What all brokers of the cluster share. */
  readonly cluster: KafkaState;
}

/**
 * Answers one kind of request. Null: this request gets no answer (Produce with acks 0). A RangeError that is thrown says that
 * the real broker would close the connection.
 */
export interface Route<Q, A> {
  readonly api: Api<Q, A>;
  handle(request: Q, context: RequestContext): A | null | Promise<A | null>;
}

/** A route whose types are those of its API. */
export function route<Q, A>(api: Api<Q, A>, handle: Route<Q, A>['handle']): Route<Q, A> {
  return { api, handle };
}
