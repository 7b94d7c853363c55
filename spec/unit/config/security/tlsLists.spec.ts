import { parseCipherSuites } from '../../../../lib/config/security/cipherSuites';
import { parseTlsVersions } from '../../../../lib/config/security/tlsVersions';
import { connectorErrorOf } from '../../connectorErrorOf';

describe('ssl.enabled.protocols', () => {
  it.each([
    ['TLSv1.2', ['TLSv1.2']],
    ['TLSv1.3', ['TLSv1.3']],
    ['TLSv1.3, TLSv1.2,TLSv1.2', ['TLSv1.2', 'TLSv1.3']],
    ['TLSv1.2,TLSv1.1,TLSv1', ['TLSv1', 'TLSv1.1', 'TLSv1.2']],
  ])('can be %j', (text, versions) => {
    expect(parseTlsVersions(text)).toEqual(versions);
  });

  it.each([
    ['', 'a version is missing'],
    ['TLSv1.2,', 'a version is missing'],
    ['SSLv3', '"SSLv3" is no version that Node has'],
    ['tlsv1.2', '"tlsv1.2" is no version that Node has'],
    ['TLSv1,TLSv1.2', 'TLSv1.1 is left out'],
    ['TLSv1.3,TLSv1.1', 'TLSv1.2 is left out'],
    ['TLSv1.1', 'does not open connections of TLSv1.1 any more'],
    ['TLSv1,TLSv1.1', 'does not open connections of TLSv1 and TLSv1.1 any more'],
  ])('cannot be %j', (text, why) => {
    expect(connectorErrorOf(() => parseTlsVersions(text)).context.faults).toEqual([
      expect.stringContaining(why),
    ]);
  });
});

describe('ssl.cipher.suites', () => {
  it.each([
    ['TLS_AES_128_GCM_SHA256', 'TLS_AES_128_GCM_SHA256'],
    ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
    ['TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384', 'ECDHE-ECDSA-AES256-SHA384'],
    ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'],
    ['TLS_DHE_RSA_WITH_AES_256_CBC_SHA', 'DHE-RSA-AES256-SHA'],
    ['TLS_RSA_WITH_AES_128_CBC_SHA256', 'AES128-SHA256'],
    ['TLS_RSA_WITH_AES_256_GCM_SHA384', 'AES256-GCM-SHA384'],
    ['ecdhe-rsa-aes256-gcm-sha384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ])('of Java or OpenSSL: %s is %s', (name, suite) => {
    expect(parseCipherSuites(` ${name} ,AES128-SHA`)).toEqual([suite, 'AES128-SHA']);
  });

  it.each([
    ['', 'a name is missing'],
    ['AES128-SHA,,AES256-SHA', 'a name is missing'],
    ['NOPE', '"NOPE" is no cipher suite that Node has'],
    ['TLS_AES_128_GCM_SHA256,TLS_RSA_WITH_RC4_128_MD5', '"TLS_RSA_WITH_RC4_128_MD5" is no cipher suite'],
    ['DEFAULT@SECLEVEL=0', 'is no cipher suite'],
    ['AES128-SHA:AES256-SHA', 'is no cipher suite'],
  ])('cannot be %j', (text, why) => {
    expect(connectorErrorOf(() => parseCipherSuites(text)).context.faults).toEqual([
      expect.stringContaining(why),
    ]);
  });
});
