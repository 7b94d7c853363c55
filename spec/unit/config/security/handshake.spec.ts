import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type TLSSocket } from 'node:tls';
import { resolveTls, type GivenSettings } from '../support/securitySettings';
import { fixture, StoreFiles } from '../support/tlsFixtures';

const files = new StoreFiles();
let server: Server;

/** Wants a certificate, and has one of an issuer that it does not send itself. */
beforeAll(async () => {
  server = createServer({
    key: fixture('server.key'),
    cert: fixture('server.pem') + fixture('intermediate.pem'),
    ca: fixture('ca.pem'),
    requestCert: true,
    rejectUnauthorized: false,
  });
  // The name of the client, if its certificate is one of ours.
  server.on('secureConnection', (socket: TLSSocket) => {
    const { subject } = socket.getPeerCertificate();
    socket.on('error', () => undefined).end(socket.authorized ? String(subject.CN) : 'nobody');
  });
  server.on('tlsClientError', () => undefined);
  await once(server.listen(0), 'listening');
});

afterAll(() => {
  server.close();
  files.remove();
});

interface Handshake {
  readonly client: string;
  readonly version: string | null;
  readonly cipher: string;
}

async function handshake(settings: GivenSettings): Promise<Handshake> {
  const context = resolveTls(settings).security.tls?.context;
  if (!context) throw new Error('The settings have no TLS');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', secureContext: context });
  let client = '';
  socket.setEncoding('utf8').on('data', (text: string) => (client += text));
  await once(socket, 'secureConnect');
  const [version, cipher] = [socket.getProtocol(), socket.getCipher().name];
  await once(socket, 'close');
  return { client, version, cipher };
}

const CA = { 'ssl.truststore.certificates': fixture('ca.pem') };

describe('A connection with these settings', () => {
  it('trusts whom the trust store trusts, and nobody else', async () => {
    await expect(handshake(CA)).resolves.toMatchObject({ client: 'nobody', version: 'TLSv1.3' });
    await expect(handshake({})).rejects.toMatchObject({ code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' });
    const other = { 'ssl.truststore.certificates': fixture('client.pem') };
    await expect(handshake(other)).rejects.toMatchObject({ code: expect.any(String) as string });
  });

  it('trusts each certificate for itself, as Java does, from Node 20.18 on', async () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const knows = major > 22 || (major === 22 && minor >= 9) || (major === 20 && minor >= 18);
    const outcome = handshake({ 'ssl.truststore.certificates': fixture('intermediate.pem') });
    const told = outcome.then(
      () => 'trusted',
      (error: unknown) => (error as { readonly code: string }).code,
    );
    expect(await told).toBe(knows ? 'trusted' : 'UNABLE_TO_GET_ISSUER_CERT');
  });

  it.each<[string, GivenSettings]>([
    [
      'PEM text',
      { 'ssl.keystore.key': fixture('client.key'), 'ssl.keystore.certificate.chain': fixture('client.pem') },
    ],
    [
      'a PEM file with an encrypted key',
      {
        'ssl.keystore.location': files.text(fixture('client.pem'), fixture('client-encrypted.key')),
        'ssl.key.password': 'key-secret',
      },
    ],
    [
      'a PKCS12 file',
      {
        'ssl.keystore.type': 'PKCS12',
        'ssl.keystore.location': files.binary('client.p12'),
        'ssl.keystore.password': 'store-secret',
      },
    ],
  ])('proves itself with %s', async (_what, settings) => {
    await expect(handshake({ ...CA, ...settings })).resolves.toMatchObject({ client: 'test only client' });
  });

  it.each([
    ['TLSv1.2', undefined, 'TLSv1.2', 'ECDHE-ECDSA-AES128-GCM-SHA256'],
    ['TLSv1.3', undefined, 'TLSv1.3', 'TLS_AES_256_GCM_SHA384'],
    [undefined, 'TLS_AES_128_GCM_SHA256', 'TLSv1.3', 'TLS_AES_128_GCM_SHA256'],
    [undefined, 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'TLSv1.2', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
  ])('uses the versions and suites that are named: %s, %s', async (versions, suites, version, cipher) => {
    const settings = { ...CA, 'ssl.enabled.protocols': versions, 'ssl.cipher.suites': suites };
    await expect(handshake(settings)).resolves.toMatchObject({ version, cipher });
  });
});
