import type { SaslExchange } from './SaslExchange';

/** SASL PLAIN (RFC 4616): user and password in one token. */
export class PlainExchange implements SaslExchange {
  /** No identity to act for, user, password: each behind a zero byte. */
  readonly #token: Buffer;

  constructor(username: string, password: string) {
    this.#token = Buffer.from(`\0${username}\0${password}`, 'utf8');
  }

  next(challenge: Buffer | null): Promise<Buffer | null> {
    return Promise.resolve(challenge === null ? this.#token : null);
  }
}
