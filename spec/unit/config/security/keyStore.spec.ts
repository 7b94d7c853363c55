import { resolveTls, tlsFaultsOf, type GivenSettings } from '../support/securitySettings';
import { fixture, StoreFiles } from '../support/tlsFixtures';

const KEY = fixture('client.key');
const ENCRYPTED = fixture('client-encrypted.key');
const TRADITIONAL = fixture('client-traditional.key');
const CERTIFICATE = fixture('client.pem');
const CA = fixture('ca.pem');
const files = new StoreFiles();
afterAll(() => files.remove());

const location = (path: string): GivenSettings => ({ 'ssl.keystore.location': path });
const inline = (key: string, chain = CERTIFICATE): GivenSettings => ({
  'ssl.keystore.key': key,
  'ssl.keystore.certificate.chain': chain,
});
const pkcs12 = (path: string, password?: string): GivenSettings => ({
  'ssl.keystore.type': 'pkcs12',
  'ssl.keystore.location': path,
  'ssl.keystore.password': password,
});
const PASSWORD = { 'ssl.key.password': 'key-secret' };
const oneLine = (pem: string): string => pem.trim().replaceAll('\n', ' ');

describe('A key store', () => {
  it.each<[string, GivenSettings]>([
    ['one PEM file', location(files.text(KEY, CERTIFICATE, CA))],
    ['one PEM file, the certificate first', location(files.text(CERTIFICATE, KEY))],
    ['one PEM file with an encrypted key', { ...location(files.text(ENCRYPTED, CERTIFICATE)), ...PASSWORD }],
    ['PEM text', inline(KEY)],
    ['PEM text in one line', inline(oneLine(KEY), oneLine(CERTIFICATE + CA))],
    ['PEM text with an encrypted key', { ...inline(oneLine(ENCRYPTED)), ...PASSWORD }],
    ['PEM text with a key of the older encrypted kind', { ...inline(TRADITIONAL), ...PASSWORD }],
    ['a PKCS12 file', pkcs12(files.binary('client.p12'), 'store-secret')],
    [
      'a PKCS12 file with the password given twice, as Java has it',
      { ...pkcs12(files.binary('client.p12'), 'store-secret'), 'ssl.key.password': 'store-secret' },
    ],
  ])('can be %s', (_what, settings) => {
    const { security, warnings } = resolveTls(settings);
    expect(security.tls).toBeDefined();
    expect(warnings).toEqual([]);
  });

  it.each<[string, GivenSettings, string]>([
    [
      'a file that is not there',
      location('/nonexistent'),
      'ssl.keystore.location: cannot read "/nonexistent"',
    ],
    ['PEM text as location', location(KEY), 'belongs to ssl.keystore.key and ssl.keystore.certificate.chain'],
    ['a file without a key', location(files.text(CERTIFICATE)), 'there is no private key in it'],
    ['a file without a certificate', location(files.text(KEY)), 'there is no certificate in it'],
    ['a file with two keys', location(files.text(KEY, KEY, CERTIFICATE)), 'there are 2 private keys in it'],
    [
      'something else',
      location(files.text('hello')),
      'is neither PEM nor PKCS12; expected a PEM file with one',
    ],
    ['a JKS file', location(files.binary('trust.jks')), 'is a Java key store (JKS); expected a PEM file'],
    ['a PKCS12 file as PEM', location(files.binary('client.p12')), 'or PKCS12 as ssl.keystore.type'],
    ['a PEM file as PKCS12', pkcs12(files.text(KEY), 'x'), 'is a PEM file; expected a PKCS12 file'],
    ['a JKS file as PKCS12', pkcs12(files.binary('trust.jks'), 'x'), 'keytool -importkeystore -srckeystore'],
    ['something else as PKCS12', pkcs12(files.text('hello'), 'x'), 'is neither PEM nor PKCS12'],
    [
      'PKCS12 without a key',
      pkcs12(files.binary('trust.pkcs12'), 'store-secret'),
      'Unable to load private key from PFX data',
    ],
    [
      'PKCS12 of an old kind',
      pkcs12(files.binary('client-legacy.p12'), 'store-secret'),
      'a PKCS12 file with a private key and its certificate that is encrypted with AES: "openssl pkcs12 -legacy',
    ],
    [
      'PKCS12 with a wrong password',
      pkcs12(files.binary('client.p12'), 'store-secret-2'),
      'ssl.keystore.password: does not open "',
    ],
    [
      'PKCS12 without a password',
      pkcs12(files.binary('client.p12')),
      'ssl.keystore.password: is missing; expected',
    ],
    [
      'an encrypted key without a password',
      inline(ENCRYPTED),
      'ssl.key.password: is missing; expected the password of the encrypted key in ssl.keystore.key',
    ],
    ['an older one without a password', inline(TRADITIONAL), 'ssl.key.password: is missing'],
    [
      'an encrypted key with a wrong password',
      { ...inline(ENCRYPTED), 'ssl.key.password': 'key-secret-2' },
      'ssl.key.password: does not open the key in ssl.keystore.key (bad decrypt)',
    ],
    ['half a key', inline(KEY.slice(0, 100)), 'the private key in it is not complete: no END line'],
    [
      'a key without its beginning',
      inline(KEY.slice(30)),
      'the private key in it is not complete: no BEGIN line',
    ],
    [
      'a file with half a key',
      location(files.text(CERTIFICATE, KEY.slice(0, 100))),
      'the private key in it is not',
    ],
    [
      'a chain that was cut',
      inline(KEY, CERTIFICATE + CA.slice(0, 200)),
      'ssl.keystore.certificate.chain: got a text of ' +
        `${CERTIFICATE.length + 200} characters (hidden): the certificate number 2 in it is not complete`,
    ],
    [
      'a chain with a broken certificate',
      inline(KEY, CERTIFICATE + CA.replace('MII', 'AAA')),
      'the certificate number 2 in it cannot be read',
    ],
    [
      'a file that was cut in its chain',
      location(files.text(KEY, CERTIFICATE, CA.slice(0, 200))),
      'the certificate number 2 in it is not complete',
    ],
    ['a broken key', inline(KEY.replace('MIG', 'AAA')), 'the private key in it cannot be read'],
    ['a certificate as key', inline(CERTIFICATE), 'ssl.keystore.key: got a text of'],
    ['a key as certificate', inline(KEY, KEY), 'ssl.keystore.certificate.chain: got a text of'],
    [
      'a key of another certificate',
      inline(fixture('other.key')),
      'no certificate in it is that of the private key; expected PEM text with its certificate first',
    ],
    ['a chain in a wrong order', inline(KEY, CA + CERTIFICATE), 'not the first certificate in it is that of'],
    [
      'a key of another certificate in a file',
      location(files.text(fixture('other.key'), CERTIFICATE)),
      'no certificate in it is that of the private key; expected a PEM file',
    ],
    [
      'a key alone',
      { 'ssl.keystore.key': KEY },
      'ssl.keystore.certificate.chain: is missing, but ssl.keystore.key',
    ],
    [
      'a certificate alone',
      { 'ssl.keystore.certificate.chain': CERTIFICATE },
      'ssl.keystore.key: is missing, but ssl.keystore.certificate.chain',
    ],
    [
      'file and text',
      { ...location('/nonexistent'), ...inline(KEY) },
      'ssl.keystore.location: ssl.keystore.key and ssl.keystore.certificate.chain given, too',
    ],
    ['text as PKCS12', { ...inline(KEY), 'ssl.keystore.type': 'PKCS12' }, 'expected the type PEM'],
    [
      'a password of the store with PEM',
      { ...inline(KEY), 'ssl.keystore.password': 'x' },
      'ssl.keystore.password: is given with a key store of the type PEM',
    ],
    [
      'a password without a store',
      { 'ssl.keystore.password': 'x' },
      'ssl.keystore.password: is given without ssl.keystore.location',
    ],
    [
      'the type JKS, whatever its file is',
      { ...location(files.binary('trust.jks')), 'ssl.keystore.type': 'JKS' },
      'ssl.keystore.type: got "JKS"',
    ],
  ])('cannot be %s', (_what, settings, why) => {
    expect(tlsFaultsOf(settings)).toEqual([expect.stringContaining(why)]);
  });

  it('in a file is named by its path', () => {
    const path = files.text(CERTIFICATE);
    expect(tlsFaultsOf(location(path))[0]).toBe(
      `ssl.keystore.location: ${JSON.stringify(path)} cannot be used: there is no private key in it; ` +
        'expected a PEM file with one private key and its certificate',
    );
  });

  it.each<[string, GivenSettings, string]>([
    ['no key', PASSWORD, 'there is no key.'],
    [
      'a key that is not encrypted',
      { ...inline(KEY), ...PASSWORD },
      'the key in ssl.keystore.key is not encrypted.',
    ],
    [
      'PKCS12',
      { ...pkcs12(files.binary('client.p12'), 'store-secret'), ...PASSWORD },
      'in a PKCS12 file the key has the password of the store.',
    ],
  ])('warns of a password of the key with %s', (_what, settings, why) => {
    expect(resolveTls(settings).warnings).toEqual([`No effect of ssl.key.password: ${why}`]);
  });
});
