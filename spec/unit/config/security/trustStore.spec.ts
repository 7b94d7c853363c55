import { tmpdir } from 'node:os';
import { resolveTls, tlsFaultsOf } from '../support/securitySettings';
import { fixture, fixturePath, StoreFiles } from '../support/tlsFixtures';

const CA = fixture('ca.pem');
const files = new StoreFiles();
afterAll(() => files.remove());

const oneLine = (pem: string): string => pem.trim().replaceAll('\n', ' ');

describe('A trust store', () => {
  it.each([
    ['a PEM file', { 'ssl.truststore.location': fixturePath('ca.pem') }],
    [
      'a file with several certificates',
      { 'ssl.truststore.location': files.text(CA, fixture('intermediate.pem')) },
    ],
    ['what keytool -list -rfc prints', { 'ssl.truststore.location': fixturePath('trust-keytool.txt') }],
    [
      'a file with the ends of lines of Windows',
      { 'ssl.truststore.location': files.text(CA.replaceAll('\n', '\r\n')) },
    ],
    ['PEM text', { 'ssl.truststore.certificates': CA }],
    ['PEM text in one line, as properties files have it', { 'ssl.truststore.certificates': oneLine(CA) }],
    ['PEM text without the last end of line', { 'ssl.truststore.certificates': CA.trim() }],
  ])('can be %s', (_what, settings) => {
    const { security, warnings } = resolveTls(settings);
    expect(security.tls).toBeDefined();
    expect(warnings).toEqual([]);
  });

  it.each([
    [
      'that is not there',
      '/nonexistent/ca.pem',
      'cannot read "/nonexistent/ca.pem": there is no such file; expected a PEM file',
    ],
    ['in something that is no folder', `${fixturePath('ca.pem')}/x`, 'there is no such file'],
    [
      'with a relative path',
      'nonexistent.pem',
      `cannot read ${JSON.stringify(`${process.cwd()}/nonexistent.pem`)}`,
    ],
    ['that is a folder', tmpdir(), 'it is a directory'],
    ['that is empty', files.text(''), 'it is not PEM: there is no line -----BEGIN CERTIFICATE-----'],
    ['with something else', files.text('hello'), 'it is not PEM'],
    ['with a key only', fixturePath('client.key'), 'there is no certificate in it'],
    [
      'with half a certificate',
      files.text(CA.slice(0, 200)),
      'the certificate number 1 in it is not complete: no END line belongs to its BEGIN line',
    ],
    [
      'that was cut in its second certificate',
      files.text(CA, CA.slice(0, -40)),
      'the certificate number 2 in it is not complete: no END line belongs to its BEGIN line',
    ],
    [
      'that was cut in its last line',
      files.text(CA, CA.trim().slice(0, -1)),
      'the certificate number 2 in it is not',
    ],
    [
      'that was cut in a BEGIN line',
      files.text(CA, CA.slice(0, 15)),
      'the certificate number 2 in it is not complete',
    ],
    [
      'with half a certificate between two',
      files.text(CA, CA.slice(0, 200), '\n', CA),
      'the certificate number 2 in it is not complete',
    ],
    [
      'whose second certificate has lost its beginning',
      files.text(CA, CA.slice(200), CA),
      'the certificate number 2 in it is not complete: no BEGIN line belongs to its END line',
    ],
    [
      'whose second certificate has lost lines in its middle',
      files.text(CA, CA.split('\n').toSpliced(3, 2).join('\n')),
      'the certificate number 2 in it cannot be read (',
    ],
    [
      'with a broken certificate',
      files.text(CA, CA.replace('MII', 'AAA')),
      'the certificate number 2 in it cannot be read',
    ],
    [
      'of the type JKS',
      files.binary('trust.jks'),
      'is a Java key store (JKS), which Node cannot read as a trust store',
    ],
    [
      'of the type PKCS12',
      files.binary('trust.pkcs12'),
      'is a PKCS12 file, which Node cannot read as a trust store',
    ],
    [
      'in DER',
      files.bytes(Buffer.from(CA.split('\n').slice(1, -2).join(''), 'base64')),
      '"openssl x509 -in ca.der',
    ],
  ])('cannot be a file %s', (_what, path, why) => {
    const faults = tlsFaultsOf({ 'ssl.truststore.location': path });
    expect(faults).toEqual([expect.stringContaining(why)]);
    expect(faults[0]).toMatch(/^ssl\.truststore\.location: .*; expected a PEM file with certificates/);
  });

  it.each(['trust.jks', 'trust.pkcs12'])('is told how to convert %s', (name) => {
    const [fault = ''] = tlsFaultsOf({ 'ssl.truststore.location': files.binary(name) });
    expect(fault).toContain('keytool -list -rfc -keystore truststore.jks > truststore.pem');
    expect(fault).toContain('openssl pkcs12 -in truststore.p12 -nokeys -out truststore.pem');
  });

  it.each([
    ['/etc/ca.pem', 'it is not PEM'],
    [CA.replaceAll('\n', '\\n'), String.raw`its lines end with the characters \n, not with real ends`],
    [fixture('client.key'), 'there is no certificate in it'],
    [CA + CA.slice(0, 200), 'the certificate number 2 in it is not complete'],
    [oneLine(CA + CA.slice(0, 200)), 'the certificate number 2 in it is not complete'],
  ])('cannot be the text %j', (text, why) => {
    expect(tlsFaultsOf({ 'ssl.truststore.certificates': text })).toEqual([
      expect.stringMatching(/^ssl\.truststore\.certificates: got a text of \d+ characters \(hidden\): /),
    ]);
    expect(tlsFaultsOf({ 'ssl.truststore.certificates': text })[0]).toContain(why);
  });

  it('is one file or one text', () => {
    const settings = { 'ssl.truststore.location': '/nonexistent', 'ssl.truststore.certificates': CA };
    expect(tlsFaultsOf(settings)).toEqual([
      'ssl.truststore.certificates: ssl.truststore.location is given, too; expected one of the two',
    ]);
    expect(tlsFaultsOf({ 'ssl.truststore.location': CA })).toEqual([
      'ssl.truststore.location: got PEM text (hidden), which belongs to ssl.truststore.certificates; ' +
        'expected a PEM file with certificates',
    ]);
  });

  it('is not shown when its text is given for its path, without its first line', () => {
    const text = fixture('client.key').split('\n').slice(1, -2).join('\n');
    expect(tlsFaultsOf({ 'ssl.truststore.location': text })).toEqual([
      `ssl.truststore.location: got a text of ${text.length} characters (hidden), which is no path of a file that can be read; ` +
        'expected a PEM file with certificates',
    ]);
  });

  it('has no password', () => {
    const settings = { 'ssl.truststore.certificates': CA, 'ssl.truststore.password': 'x' };
    expect(resolveTls(settings).warnings).toEqual([
      'No effect of ssl.truststore.password: a trust store of the type PEM has no password.',
    ]);
  });

  it('of a wrong type is one fault, whatever its file is', () => {
    const settings = { 'ssl.truststore.type': 'JKS', 'ssl.truststore.location': files.binary('trust.jks') };
    expect(tlsFaultsOf(settings)).toEqual([expect.stringMatching(/^ssl\.truststore\.type: got "JKS"/)]);
  });
});
