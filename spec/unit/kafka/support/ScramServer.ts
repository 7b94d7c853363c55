import { createHash, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto';

export type ServerHash = 'sha1' | 'sha256' | 'sha512';

export interface ScramServerOptions {
  readonly hash: ServerHash;
  readonly username: string;
  readonly password: string;
  readonly salt?: Buffer;
  readonly iterations?: number;
  /** What it puts behind the nonce of the client. */
  readonly nonce?: string;
}

/** Keys of the digests in bytes. */
const KEY_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const;

/** The broker's part of SCRAM by the text of RFC 5802: nothing of it is taken from lib. Answers null if it refuses. */
export class ScramServer {
  /** The name that the client gave, unescaped. */
  name = '';
  readonly #options: Required<ScramServerOptions>;
  /** What the client said first, and the answer to it. */
  #first: { readonly bare: string; readonly answer: string } | null = null;

  constructor(options: ScramServerOptions) {
    this.#options = { salt: Buffer.from('salt of the spec'), iterations: 4096, nonce: 'server', ...options };
  }

  /** The answer to the next token of the client. */
  next(token: Buffer): string | null {
    const text = token.toString('utf8');
    return this.#first === null ? this.#answerFirst(text) : this.#answerFinal(text, this.#first);
  }

  #answerFirst(text: string): string | null {
    const { username, salt, iterations, nonce } = this.#options;
    const [, bare = '', name = '', theirs = ''] =
      /^n,,(n=([^,]+),r=([\x21-\x2b\x2d-\x7e]+))$/s.exec(text) ?? [];
    // An equals sign stands for itself nowhere.
    if (!/^([^=]|=2C|=3D)+$/s.test(name)) return null;
    this.name = name.replace(/=2C|=3D/g, (escaped) => (escaped === '=2C' ? ',' : '='));
    if (this.name !== username) return null;
    const answer = `r=${theirs}${nonce},s=${salt.toString('base64')},i=${iterations}`;
    this.#first = { bare, answer };
    return answer;
  }

  #answerFinal(text: string, first: { readonly bare: string; readonly answer: string }): string | null {
    const { hash, password, salt, iterations } = this.#options;
    const [, withoutProof = '', nonce = '', proof = ''] = /^(c=biws,r=([^,]+)),p=([^,]+)$/.exec(text) ?? [];
    if (!first.answer.startsWith(`r=${nonce},`)) return null;
    const hmac = (key: Buffer, what: string): Buffer => createHmac(hash, key).update(what).digest();
    const salted = pbkdf2Sync(password, salt, iterations, KEY_BYTES[hash], hash);
    const signed = [first.bare, first.answer, withoutProof].join(',');
    const storedKey = createHash(hash).update(hmac(salted, 'Client Key')).digest();
    const clientKey = xor(Buffer.from(proof, 'base64'), hmac(storedKey, signed));
    const hashed = createHash(hash).update(clientKey).digest();
    if (!timingSafeEqual(hashed, storedKey)) return null;
    return `v=${hmac(hmac(salted, 'Server Key'), signed).toString('base64')}`;
  }
}

function xor(one: Buffer, other: Buffer): Buffer {
  return Buffer.from(one.map((byte, at) => byte ^ (other[at] ?? 0)));
}
