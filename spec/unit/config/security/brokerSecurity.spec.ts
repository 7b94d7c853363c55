import {
  faultsOf,
  PLAIN_LOGIN,
  resolve,
  resolveTls,
  SCRAM_LOGIN,
  tlsFaultsOf,
} from '../support/securitySettings';
import { fixture } from '../support/tlsFixtures';

const PLAIN = { 'sasl.mechanism': 'PLAIN', 'sasl.jaas.config': PLAIN_LOGIN };

describe('security.protocol', () => {
  it('without TLS and login needs nothing else', () => {
    expect(resolve({})).toMatchObject({ security: { protocol: 'PLAINTEXT' }, warnings: [] });
  });

  it('with TLS trusts by default whom Node trusts, and checks the host name', () => {
    const { security, warnings } = resolve({ 'security.protocol': 'ssl' });
    expect(security.protocol).toBe('SSL');
    expect(security.tls?.checkHostName).toBe(true);
    expect(security.sasl).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it('with a login has user and password', () => {
    expect(resolve({ 'security.protocol': 'SASL_PLAINTEXT', ...PLAIN }).security).toEqual({
      protocol: 'SASL_PLAINTEXT',
      sasl: { mechanism: 'PLAIN', username: 'alice', password: 'pass-word' },
    });
    const both = resolve({
      'security.protocol': 'SASL_SSL',
      'sasl.mechanism': 'SCRAM-SHA-512',
      'sasl.jaas.config': SCRAM_LOGIN,
    }).security;
    expect(both.sasl?.mechanism).toBe('SCRAM-SHA-512');
    expect(both.tls).toBeDefined();
  });

  it('leaves what has no effect with it unread, and warns', () => {
    const { security, warnings } = resolve({
      ...PLAIN,
      'ssl.truststore.location': '/nonexistent',
      'ssl.key.password': 'x',
    });
    expect(security).toEqual({ protocol: 'PLAINTEXT' });
    expect(warnings).toEqual([
      'No effect of ssl.truststore.location, ssl.key.password: security.protocol is PLAINTEXT, which is without TLS.',
      'No effect of sasl.mechanism, sasl.jaas.config: security.protocol is PLAINTEXT, which is without a login.',
    ]);
    expect(resolveTls(PLAIN).warnings).toEqual([
      'No effect of sasl.mechanism, sasl.jaas.config: security.protocol is SSL, which is without a login.',
    ]);
  });

  it('that is wrong is the only fault about what depends on it', () => {
    expect(faultsOf({ 'security.protocol': 'TLS', 'ssl.truststore.location': '/nonexistent' })).toEqual([
      'security.protocol: got "TLS" (string); expected "PLAINTEXT" or "SSL" or "SASL_PLAINTEXT" or "SASL_SSL"',
    ]);
  });
});

describe('A login', () => {
  it('needs a mechanism and a text', () => {
    expect(faultsOf({ 'security.protocol': 'SASL_SSL' })).toEqual([
      'sasl.mechanism: is missing, which a login needs; expected "PLAIN" or "SCRAM-SHA-256" or "SCRAM-SHA-512"',
      expect.stringMatching(/^sasl\.jaas\.config: is missing, which a login needs; expected org\.apache/),
    ]);
  });

  it('finds the property that was meant', () => {
    expect(faultsOf({ 'security.protocol': 'SASL_SSL', 'sasl.mechanisms': 'PLAIN' })[0]).toContain(
      'sasl.mechanism: is missing (there is "sasl.mechanisms", is that meant?)',
    );
  });

  it.each([
    [
      'PLAIN',
      SCRAM_LOGIN,
      /its login module is \S+ScramLoginModule, but sasl\.mechanism is PLAIN; .*PlainLogin/,
    ],
    ['SCRAM-SHA-256', PLAIN_LOGIN, /PlainLoginModule, but sasl\.mechanism is SCRAM-SHA-256; .*ScramLogin/],
  ])('by %s needs its own login module', (mechanism, login, why) => {
    const settings = { 'sasl.mechanism': mechanism, 'sasl.jaas.config': login };
    expect(faultsOf({ 'security.protocol': 'SASL_PLAINTEXT', ...settings })).toEqual([
      expect.stringMatching(why),
    ]);
  });

  it('warns of options that have no effect, without their names', () => {
    const login = PLAIN_LOGIN.replace(';', ' se="cret";');
    const { warnings } = resolve({
      'security.protocol': 'SASL_PLAINTEXT',
      ...PLAIN,
      'sasl.jaas.config': login,
    });
    expect(warnings).toEqual([
      'Only username and password of sasl.jaas.config have an effect, of its other options (1) none has.',
    ]);
  });
});

describe('A login that is there twice', () => {
  it('is the last one, with a warning', () => {
    const login = PLAIN_LOGIN.replace(';', ' password="last";');
    const { security, warnings } = resolve({
      'security.protocol': 'SASL_PLAINTEXT',
      ...PLAIN,
      'sasl.jaas.config': login,
    });
    expect(security.sasl?.password).toBe('last');
    expect(warnings).toEqual([
      'sasl.jaas.config has its password more than once; as in Java, the last one counts.',
    ]);
  });
});

describe('All faults', () => {
  it('of TLS and login are reported at once', () => {
    const faults = faultsOf({
      'security.protocol': 'SASL_SSL',
      'ssl.truststore.location': '/nonexistent/ca.pem',
      'ssl.keystore.key': fixture('client.key'),
      'ssl.enabled.protocols': 'TLSv1,TLSv1.2',
      'sasl.mechanism': 'GSSAPI',
      'sasl.jaas.config': 'x',
      'rebalance.backoff.ms': 'y',
    });
    expect(faults.map((fault) => fault.split(':', 1)[0])).toEqual([
      'rebalance.backoff.ms',
      'ssl.enabled.protocols',
      'sasl.mechanism',
      'sasl.jaas.config',
      'ssl.truststore.location',
      'ssl.keystore.certificate.chain',
    ]);
  });

  it('and warnings show no secret', () => {
    const key = fixture('client.key');
    const secrets: Record<string, string> = {
      'sasl.jaas.config': `${PLAIN_LOGIN} x`,
      'ssl.truststore.password': 'pass-word-1',
      'ssl.truststore.certificates': key,
      'ssl.keystore.location': key,
      'ssl.keystore.password': 'pass-word-2',
      'ssl.key.password': 'pass-word-3',
      'zookeeper.auth': 'pass-word-4',
    };
    const shown = [...faultsOf({ 'security.protocol': 'SASL_SSL', ...secrets })];
    expect(shown).toHaveLength(5);
    shown.push(...tlsFaultsOf({ 'ssl.keystore.key': key, 'ssl.keystore.certificate.chain': key }));
    shown.push(
      ...resolve({ ...secrets, 'sasl.jaas.config': PLAIN_LOGIN, 'zookeeper.auth': undefined }).warnings,
    );
    const body = key.split('\n')[1] ?? '';
    for (const text of shown) {
      expect(text).not.toContain('pass-word');
      expect(text).not.toContain(body.slice(0, 10));
    }
  });
});

describe('The check of the host name', () => {
  it('can be turned off', () => {
    const checks = (algorithm: string): boolean | undefined =>
      resolveTls({ 'ssl.endpoint.identification.algorithm': algorithm }).security.tls?.checkHostName;
    expect(['https', 'HTTPS', ''].map(checks)).toEqual([true, true, false]);
  });
});

describe('The versions of TLS', () => {
  it('must have a cipher suite, if some are named', () => {
    const settings = { 'ssl.enabled.protocols': 'TLSv1.2', 'ssl.cipher.suites': 'TLS_AES_128_GCM_SHA256' };
    expect(tlsFaultsOf(settings)).toEqual([
      expect.stringMatching(
        /^ssl\.cipher\.suites: no suite in it belongs to .* ssl\.enabled\.protocols, TLSv1\.2;/,
      ),
    ]);
  });
});
