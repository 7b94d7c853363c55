import type { SaslSettings } from '../brokerSecurity';
import { PlainExchange } from './PlainExchange';
import { ScramExchange } from './ScramExchange';

/** The client's part of a login: what it says, one token after the other. */
export interface SaslExchange {
  /**
   * The next token to send, or null when the login is complete.
   *
   * @param challenge - what the broker answered to the last token; null for the first one
   * @throws SaslError if the broker's part makes no sense, or cannot be trusted
   */
  next(challenge: Buffer | null): Promise<Buffer | null>;
}

export function saslExchange({ mechanism, username, password }: SaslSettings): SaslExchange {
  switch (mechanism) {
    case 'PLAIN':
      return new PlainExchange(username, password);
    case 'SCRAM-SHA-256':
      return new ScramExchange('sha256', username, password);
    case 'SCRAM-SHA-512':
      return new ScramExchange('sha512', username, password);
  }
}
