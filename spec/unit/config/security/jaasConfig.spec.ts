import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJaasConfig } from '../../../../lib/config/security/jaasConfig';
import { parseJaasEntry } from '../../../../lib/config/security/jaasEntry';
import { connectorErrorOf } from '../../connectorErrorOf';

const PLAIN = 'org.apache.kafka.common.security.plain.PlainLoginModule';
const SCRAM = 'org.apache.kafka.common.security.scram.ScramLoginModule';

interface Vector {
  readonly text: string;
  readonly options: Readonly<Record<string, string>> | null;
}

const VECTORS = JSON.parse(
  readFileSync(join(__dirname, '../../../fixtures/config-jaas/vectors.json'), 'utf8'),
) as readonly Vector[];

const accepted = VECTORS.filter(({ options }) => options !== null);
const refused = VECTORS.filter(({ options }) => options === null);

describe('The text of sasl.jaas.config', () => {
  it.each(accepted)('means what it means in Java: $text', ({ text, options }) => {
    expect(Object.fromEntries(parseJaasEntry(text).options)).toEqual(options);
  });

  it.each(refused)('is refused as in Java: $text', ({ text }) => {
    expect(connectorErrorOf(() => parseJaasEntry(text)).code).toBe('CONFIG_INVALID');
  });

  it('has a user and a password', () => {
    expect(parseJaasConfig(`${PLAIN} required username="alice" password="se\\"cr\\\\et";`)).toEqual({
      module: PLAIN,
      username: 'alice',
      password: 'se"cr\\et',
      others: 0,
      repeated: [],
    });
  });

  // Both as in the Kafka clients 2.8.2 and 3.9.1.
  it.each(['required', 'REQUISITE', 'sufficient', 'Optional'])('may have the control flag %s', (flag) => {
    const text = `${PLAIN} ${flag} username="a" password="b";`;
    expect(parseJaasConfig(text)).toMatchObject({ username: 'a', password: 'b' });
  });

  it('has the last value of an option that is repeated, and says that it is', () => {
    const text = `${SCRAM} required username="a" password="x" password="y" username="b" z="1" z="2";`;
    expect(parseJaasConfig(text)).toEqual({
      module: SCRAM,
      username: 'b',
      password: 'y',
      others: 1,
      repeated: ['username', 'password'],
    });
  });

  it('may have options that mean nothing here', () => {
    const text = `${SCRAM} required username='a' password='b' serviceName=kafka tokenauth="false";`;
    expect(parseJaasConfig(text).others).toBe(2);
  });

  it.each([
    ['', 'it is empty'],
    [`${PLAIN} required username="a";`, 'it has no password'],
    [`${PLAIN} required password="b";`, 'it has no username'],
    [`${PLAIN} required username="" password="b";`, 'its username is empty'],
    [`${PLAIN} required username="a" password="";`, 'its password is empty'],
    [`${PLAIN} required username="a" password="b\\0";`, 'the character U+0000'],
    [`${PLAIN} required username="a" password="b"`, 'does not end with a semicolon'],
    [`${PLAIN} required username="a" password=b/c;`, '"/" begins a comment'],
    [`${PLAIN} required username="a" password="b"; x`, 'only one login module'],
    [`${PLAIN} username="a" password="b";`, 'not followed by "required"'],
    [`${PLAIN} required username="a" password=;`, 'behind "required" and 1 of its options'],
    ['username=a password=b', 'not followed by "required"'],
    [`${SCRAM} required username="a" password="b" tokenauth="TRUE";`, 'delegation token'],
    ['com.sun.security.auth.module.Krb5LoginModule required;', 'Krb5LoginModule" is none of the two'],
  ])('cannot be %j', (text, why) => {
    const error = connectorErrorOf(() => parseJaasConfig(text));
    expect(error.context.faults).toEqual([expect.stringContaining(why)]);
  });

  it.each([
    `${PLAIN} required username=hidden1 password="hidden2"hidden3";`,
    `${PLAIN} required username="hidden1" password=hidden2=hidden3;`,
    `${PLAIN} hidden1 hidden2`,
    'hidden1 required username=hidden2 password=hidden3;',
    'hidden1:hidden2',
    `${PLAIN} required username="hidden1" password="hidden2`,
    `${PLAIN} required username="hidden1" password="hidden2"; hidden3`,
  ])('is not shown, nor any part of it: %s', (text) => {
    expect(connectorErrorOf(() => parseJaasConfig(text)).message).not.toContain('hidden');
  });
});
