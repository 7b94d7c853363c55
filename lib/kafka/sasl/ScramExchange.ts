import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

import type { SaslExchange } from './SaslExchange';
import { SaslError } from './SaslError';

const deriveKey = promisify(pbkdf2);

/** "No channel binding, and none is wanted": the only way that Kafka knows. */
const GS2_HEADER = 'n,,';

/** Kafka's least (ScramMechanism): fewer would make the password easy to guess. More than the most would keep this client busy. */
const LEAST_ITERATIONS = 4096;
const MOST_ITERATIONS = 1_000_000;

export type ScramHash = 'sha256' | 'sha512';

/**
 * SASL SCRAM (RFC 5802, RFC 7677): the password never goes over the wire, and the broker has to prove that it knows it, too.
 * Names and passwords are UTF-8 without SASLprep, as in Kafka's ScramFormatter.
 */
export class ScramExchange implements SaslExchange {
  readonly #hash: ScramHash;
  readonly #username: string;
  readonly #password: string;
  readonly #nonce: string;
  /** What the broker must end with; there once the client has proved itself. */
  #serverSignature: Buffer | null = null;

  /** @param nonce - a fresh one by default; given by specs only */
  constructor(
    hash: ScramHash,
    username: string,
    password: string,
    nonce = randomBytes(24).toString('base64'),
  ) {
    this.#hash = hash;
    this.#username = username;
    this.#password = password;
    this.#nonce = nonce;
  }

  async next(challenge: Buffer | null): Promise<Buffer | null> {
    if (challenge === null) return Buffer.from(GS2_HEADER + this.#firstBare, 'utf8');
    if (this.#serverSignature === null) return this.#prove(challenge.toString('utf8'));
    this.#verify(challenge.toString('utf8'), this.#serverSignature);
    return null;
  }

  get #firstBare(): string {
    const name = this.#username.replaceAll('=', '=3D').replaceAll(',', '=2C');
    return `n=${name},r=${this.#nonce}`;
  }

  /** The client's proof, from the broker's nonce, salt and number of iterations. */
  async #prove(serverFirst: string): Promise<Buffer> {
    const { nonce, salt, iterations } = this.#readServerFirst(serverFirst);
    const hash = this.#hash;
    const length = hash === 'sha256' ? 32 : 64;
    const saltedPassword = await deriveKey(
      Buffer.from(this.#password, 'utf8'),
      salt,
      iterations,
      length,
      hash,
    );
    const clientKey = this.#hmac(saltedPassword, 'Client Key');
    const storedKey = createHash(hash).update(clientKey).digest();
    const finalWithoutProof = `c=${Buffer.from(GS2_HEADER).toString('base64')},r=${nonce}`;
    const signed = `${this.#firstBare},${serverFirst},${finalWithoutProof}`;
    const clientSignature = this.#hmac(storedKey, signed);
    const proof = clientKey.map((byte, at) => byte ^ (clientSignature[at] ?? 0));
    this.#serverSignature = this.#hmac(this.#hmac(saltedPassword, 'Server Key'), signed);
    return Buffer.from(`${finalWithoutProof},p=${Buffer.from(proof).toString('base64')}`, 'utf8');
  }

  #readServerFirst(text: string): { nonce: string; salt: Buffer; iterations: number } {
    const attributes = attributesOf(text);
    if (attributes.has('m')) throw new SaslError('its answer asks for an extension of SCRAM (m=)');
    const nonce = attributes.get('r') ?? '';
    if (!nonce.startsWith(this.#nonce) || nonce.length === this.#nonce.length)
      throw new SaslError('the nonce in its answer does not continue that of this client');
    const salt = Buffer.from(attributes.get('s') ?? '', 'base64');
    if (salt.length === 0) throw new SaslError('its answer has no salt');
    const count = attributes.get('i') ?? '';
    const iterations = /^\d{1,9}$/.test(count) ? Number(count) : 0;
    if (iterations < LEAST_ITERATIONS || iterations > MOST_ITERATIONS) {
      const limits = `${LEAST_ITERATIONS} to ${MOST_ITERATIONS}`;
      throw new SaslError(`its answer asks for ${JSON.stringify(count)} iterations; ${limits} are taken`);
    }
    return { nonce, salt, iterations };
  }

  #verify(serverFinal: string, expected: Buffer): void {
    const signature = Buffer.from(attributesOf(serverFinal).get('v') ?? '', 'base64');
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
      throw new SaslError(
        'it could not prove that it knows the password: it may not be the broker that it seems to be',
      );
  }

  #hmac(key: Buffer, text: string): Buffer {
    return createHmac(this.#hash, key).update(text, 'utf8').digest();
  }
}

/** `r=...,s=...,i=...`; the broker's error is one, too. What is none is left out. */
function attributesOf(text: string): Map<string, string> {
  const parts = text.split(',').filter((part) => part[1] === '=');
  const attributes = new Map(parts.map((part) => [part.slice(0, 1), part.slice(2)] as const));
  const error = attributes.get('e');
  if (error !== undefined) throw new SaslError(`it answered ${JSON.stringify(error.slice(0, 100))}`);
  return attributes;
}
