import fc from 'fast-check';

import { SaslError } from '../../../../lib/kafka/sasl/SaslError';
import { ScramExchange, type ScramHash } from '../../../../lib/kafka/sasl/ScramExchange';
import { ScramServer, type ServerHash } from '../support/ScramServer';

interface Published {
  readonly hash: ServerHash;
  readonly clientNonce: string;
  readonly serverNonce: string;
  readonly salt: string;
  readonly proof: string;
  readonly signature: string;
}

/* User "user" with the password "pencil" and 4096 iterations, in both. */
const RFC_7677: Published = {
  hash: 'sha256',
  clientNonce: 'rOprNGfwEbeRWgbNEkqO',
  serverNonce: '%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0',
  salt: 'W22ZaJ0SNY7soEsUEjb6gQ==',
  proof: 'dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=',
  signature: '6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=',
};
const RFC_5802: Published = {
  hash: 'sha1',
  clientNonce: 'fyko+d2lbbFgONRv9qkxdawL',
  serverNonce: '3rfcNHYJY1ZVvWVs7j',
  salt: 'QSXCR+Q6sek8bf92',
  proof: 'v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=',
  signature: 'rmF9pqV8S7suAoZWja4dJRkFsKQ=',
};

const serverFirst = ({ clientNonce, serverNonce, salt }: Published): string =>
  `r=${clientNonce}${serverNonce},s=${salt},i=4096`;
const clientFinal = ({ clientNonce, serverNonce, proof }: Published): string =>
  `c=biws,r=${clientNonce}${serverNonce},p=${proof}`;

const HASHES: readonly ScramHash[] = ['sha256', 'sha512'];

/** The exchange of RFC 7677, after its first message. */
async function begun(): Promise<ScramExchange> {
  const exchange = new ScramExchange('sha256', 'user', 'pencil', RFC_7677.clientNonce);
  await exchange.next(null);
  return exchange;
}

/** The exchange of RFC 7677, after the client has proved itself. */
async function proved(): Promise<ScramExchange> {
  const exchange = await begun();
  await exchange.next(Buffer.from(serverFirst(RFC_7677)));
  return exchange;
}

/** Lets client and server talk; true if both are content. */
async function agree(client: ScramExchange, server: ScramServer): Promise<boolean> {
  let token = await client.next(null);
  while (token !== null) {
    const answer = server.next(token);
    if (answer === null) return false;
    token = await client.next(Buffer.from(answer));
  }
  return true;
}

/** Whatever a user may be called: anything but nothing, often with what has to be escaped. */
const names = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.string({ unit: fc.constantFrom('=', ',', '=2C', '=3D', 'n', 'ä', '語', '𝄞', ' '), minLength: 1 }),
);

describe('The server of these specs', () => {
  it.each([
    ['RFC 5802', RFC_5802],
    ['RFC 7677', RFC_7677],
  ])('says what the example in %s says', (_name, published) => {
    const { hash, clientNonce, serverNonce: nonce, salt, signature } = published;
    const options = { hash, username: 'user', password: 'pencil', nonce };
    const server = new ScramServer({ ...options, salt: Buffer.from(salt, 'base64') });
    expect(server.next(Buffer.from(`n,,n=user,r=${clientNonce}`))).toBe(serverFirst(published));
    expect(server.next(Buffer.from(clientFinal(published)))).toBe(`v=${signature}`);
  });
});

describe('ScramExchange', () => {
  it('says what the example in RFC 7677 says, and takes its signature', async () => {
    const exchange = new ScramExchange('sha256', 'user', 'pencil', RFC_7677.clientNonce);
    expect(String(await exchange.next(null))).toBe('n,,n=user,r=rOprNGfwEbeRWgbNEkqO');
    const final = await exchange.next(Buffer.from(serverFirst(RFC_7677)));
    expect(String(final)).toBe(clientFinal(RFC_7677));
    expect(await exchange.next(Buffer.from(`v=${RFC_7677.signature}`))).toBeNull();
  });

  it.each(HASHES)('logs anybody in who has the password, by %s', async (hash) => {
    await fc.assert(
      fc.asyncProperty(names, names, fc.uint8Array({ minLength: 1 }), async (username, password, salt) => {
        const server = new ScramServer({ hash, username, password, salt: Buffer.from(salt) });
        expect(await agree(new ScramExchange(hash, username, password), server)).toBe(true);
        expect(server.name).toBe(username);
      }),
      { numRuns: 40 },
    );
  });

  it.each(HASHES)('logs nobody in with another password, by %s', async (hash) => {
    const server = new ScramServer({ hash, username: 'user', password: 'pencil' });
    expect(await agree(new ScramExchange(hash, 'user', 'pencil '), server)).toBe(false);
  });

  it('has another nonce each time, without a comma', async () => {
    const first = async (): Promise<string> => String(await new ScramExchange('sha256', 'u', 'p').next(null));
    const texts = await Promise.all(Array.from({ length: 50 }, first));
    expect(new Set(texts).size).toBe(50);
    for (const text of texts) expect(text).toMatch(/^n,,n=u,r=[\x21-\x2b\x2d-\x7e]{24,}$/);
  });

  const own = RFC_7677.clientNonce;
  const salt = `s=${RFC_7677.salt}`;

  it.each([
    ['has another nonce', `r=another,${salt},i=4096`, /nonce/],
    ['adds nothing to the nonce', `r=${own},${salt},i=4096`, /nonce/],
    ['has the nonce at its end', `r=x${own},${salt},i=4096`, /nonce/],
    ['has no nonce', `${salt},i=4096`, /nonce/],
    ['has no salt', `r=${own}x,i=4096`, /salt/],
    ['has an empty salt', `r=${own}x,s=,i=4096`, /salt/],
    ['has no number of iterations', `r=${own}x,${salt}`, /"" iterations/],
    ['wants 4095 iterations', `r=${own}x,${salt},i=4095`, /"4095" iterations; 4096 to 1000000 are taken/],
    ['wants 1000001 iterations', `r=${own}x,${salt},i=1000001`, /"1000001" iterations/],
    ['wants -4096 iterations', `r=${own}x,${salt},i=-4096`, /"-4096" iterations/],
    ['wants 1e4 iterations', `r=${own}x,${salt},i=1e4`, /"1e4" iterations/],
    ['wants more iterations than a number has', `r=${own}x,${salt},i=${'9'.repeat(400)}`, /iterations/],
    ['wants an extension', `m=new,r=${own}x,${salt},i=4096`, /extension/],
    ['is an error', 'e=unknown-user', /it answered "unknown-user"/],
    ['is empty', '', /nonce/],
    ['is garbage', 'error: what?', /nonce/],
    ['is binary garbage', '\0\u0001\ufffd\uffff', /nonce/],
  ])('does not prove itself to a broker whose answer %s', async (_name, answer, message) => {
    const exchange = await begun();
    const reply = exchange.next(Buffer.from(answer));
    await expect(reply).rejects.toThrow(SaslError);
    await expect(reply).rejects.toThrow(message);
    await expect(reply).rejects.not.toThrow('pencil');
  });

  const signature = Buffer.from(RFC_7677.signature, 'base64');
  const changed = Buffer.from(signature.map((byte, at) => (at === 31 ? byte ^ 1 : byte)));

  it.each([
    ['is that of somebody else', `v=${changed.toString('base64')}`, /could not prove/],
    ['is only the first half', `v=${signature.subarray(0, 16).toString('base64')}`, /could not prove/],
    ['is longer', `v=${Buffer.concat([signature, signature]).toString('base64')}`, /could not prove/],
    ['is empty', 'v=', /could not prove/],
    ['is missing', '', /could not prove/],
    ['has another name', `w=${RFC_7677.signature}`, /could not prove/],
    ['is the first answer again', serverFirst(RFC_7677), /could not prove/],
    ['is an error', 'e=invalid-proof', /it answered "invalid-proof"/],
    ['is garbage', 'vv\0\ufffd', /could not prove/],
  ])('does not trust a broker whose signature %s', async (_name, answer, message) => {
    const exchange = await proved();
    const reply = exchange.next(Buffer.from(answer));
    await expect(reply).rejects.toThrow(SaslError);
    await expect(reply).rejects.toThrow(message);
  });

  it('shows no more than the start of an error, on one line', async () => {
    const exchange = await begun();
    const failure: unknown = await exchange
      .next(Buffer.from(`e=one\ntwo${'x'.repeat(10_000)}`))
      .catch((error: unknown) => error);
    expect((failure as Error).message).toMatch(/^it answered "one\\ntwox{50,100}"$/);
  });
});
