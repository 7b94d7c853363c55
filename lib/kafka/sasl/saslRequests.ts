import type { KafkaRequest } from '../wire';

export const SASL_HANDSHAKE_API_KEY = 17;
export const SASL_AUTHENTICATE_API_KEY = 36;

export interface SaslHandshakeAnswer {
  readonly errorCode: number;
  /** What the listener takes. */
  readonly mechanisms: readonly string[];
}

export interface SaslAuthenticateAnswer {
  readonly errorCode: number;
  readonly errorMessage: string | null;
  readonly token: Buffer;
}

/** KIP-43. Version 0 is followed by bare tokens, version 1 (KIP-152) by SaslAuthenticate requests. */
export function saslHandshakeRequest(version: 0 | 1, mechanism: string): KafkaRequest<SaslHandshakeAnswer> {
  return {
    apiKey: SASL_HANDSHAKE_API_KEY,
    apiVersion: version,
    name: `SaslHandshake v${version}`,
    write: (writer) => writer.string(mechanism),
    read: (reader) => ({ errorCode: reader.int16(), mechanisms: reader.array(2, () => reader.string()) }),
  };
}

/**
 * KIP-152. Version 0, although version 1 (KIP-368) tells how long the session lasts: with `connections.max.reauth.ms` a broker
 * from 2.2 on hangs up at the first request behind the session's end, whatever version the login had (and after bare tokens,
 * too); version 1 only tells in time to log in once more on the same connection. That is left out: a connection that is lost
 * costs one look-up of the leader and loses nothing, and the next one logs in anew.
 */
export function saslAuthenticateRequest(token: Buffer): KafkaRequest<SaslAuthenticateAnswer> {
  return {
    apiKey: SASL_AUTHENTICATE_API_KEY,
    apiVersion: 0,
    name: 'SaslAuthenticate v0',
    write: (writer) => writer.bytes(token),
    read: (reader) => ({
      errorCode: reader.int16(),
      errorMessage: reader.nullableString(),
      token: reader.bytes(),
    }),
  };
}
