import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConsumerProperties } from '../../../lib/config/loadConsumerProperties';
import { resolveConfig } from '../../../lib/config/resolveConfig';
import { ConnectorError } from '../../../lib/errors';
import { withDeadline } from '../../support/waitFor';

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'consumer-properties-'));
  file = join(folder, 'consumer.properties');
});

afterAll(() => rm(folder, { recursive: true }));

async function load(content: string | Buffer): Promise<unknown> {
  await writeFile(file, content, 'latin1');
  return loadConsumerProperties(file);
}

async function errorOf(loading: Promise<unknown>): Promise<ConnectorError> {
  const error: unknown = await loading.then(
    () => 'nothing',
    (reason: unknown) => reason,
  );
  if (!ConnectorError.is(error)) throw new Error(`Not refused, but: ${String(error)}`);
  expect(error.code).toBe('CONFIG_INVALID');
  return error;
}

/** What is wrong with a file of this content. */
async function faultOf(content: string | Buffer): Promise<string> {
  const { message, context } = await errorOf(load(content));
  const [fault = ''] = context.faults ?? [];
  expect(message).toBe(`The properties file ${JSON.stringify(file)}: ${fault}`);
  return fault;
}

describe('loadConsumerProperties', () => {
  it.each([
    ['an empty file', '', {}],
    ['a line without an end', 'group.id=g', { 'group.id': 'g' }],
    ['lines with ends of all kinds', 'a=1\nb=2\r\nc=3\rd=4', { a: '1', b: '2', c: '3', d: '4' }],
    ['an equals sign, a colon or a blank between', 'a=1\nb:2\nc 3\nd\t4', { a: '1', b: '2', c: '3', d: '4' }],
    ['blanks around them', '  a = 1\n\tb :\f2\nc   3', { a: '1', b: '2', c: '3' }],
    ['blanks at the end, which stay', 'a=1 \nb= \t', { a: '1 ', b: '' }],
    ['more signs in the value', 'a=b=c\nd: e:f', { a: 'b=c', d: 'e:f' }],
    ['names without values', 'a\nb=\nc:', { a: '', b: '', c: '' }],
    ['a value without a name', '=1', { '': '1' }],
    ['comments', '# a=1\n  ! b=2\nc=3 # no comment\n#d\\\ne=4', { c: '3 # no comment', e: '4' }],
    ['blank lines', '\n \t\f\na=1\n\n', { a: '1' }],
    ['a line that goes on', 'a=1,\\\n    2,\\\r\n\t3\nb=4', { a: '1,2,3', b: '4' }],
    ['a line that goes on to the end of the file', 'a=1\\', { a: '1' }],
    ['a comment sign where a line goes on', 'a=1\\\n#2', { a: '1#2' }],
    ['a backslash that is no sign of going on', 'a=1\\\\\nb=2', { a: '1\\', b: '2' }],
    ['escapes', 'a\\ b\\=\\:c=\\t\\n\\r\\f\\\\\\q\\"', { 'a b=:c': '\t\n\r\f\\q"' }],
    ['characters by their number', '\\u00e9=\\u20AC\\ud83d\\ude00\\u003d', { é: '€😀=' }],
    ['a number that goes on in the next line', 'a=\\u00\\\n  41', { a: 'A' }],
    ['characters of ISO-8859-1', 'ö=\xa0\xff', { ö: '\xa0ÿ' }],
    ['the same name again, of which the last wins', 'a=1\nb=2\na=3\n\\u0061=4', { a: '4', b: '2' }],
  ])('reads %s', async (_what, content, properties) => {
    expect(await load(content)).toEqual(properties);
  });

  it('takes the bytes of UTF-8 for the characters that they are in ISO-8859-1, as Java does', async () => {
    expect(await load(Buffer.from('a=é'))).toEqual({ a: 'Ã©' });
  });

  it('gives names that objects have of themselves no meaning', async () => {
    const loaded = Object.entries((await load('__proto__=1\nconstructor=2')) as object);
    expect(loaded).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
  });

  it('leaves it to the constructor to check values and to warn of names', async () => {
    const loaded = await load(
      'group.id=g\nzookeeper.connect=h1:2181,\\\n  h2:2181/kafka\nauto.commit.interval.ms= 500 \nzk.connect=x',
    );
    const { config, warnings } = resolveConfig(loaded);
    expect(config['zookeeper.connect']).toBe('h1:2181,h2:2181/kafka');
    expect(config['auto.commit.interval.ms']).toBe(500);
    expect(warnings).toEqual([expect.stringContaining('"zk.connect" is not known')]);
    expect(await load('fetch.min.bytes=many')).toEqual({ 'fetch.min.bytes': 'many' });
  });

  it('reads a file of 1 MiB, but none that is larger', async () => {
    const comment = `#${'x'.repeat((1 << 20) - 5)}\na=1`;
    expect(await load(comment)).toEqual({ a: '1' });
    expect(await faultOf(`${comment} `)).toBe('it is larger than 1048576 bytes, so it is no properties file');
  });

  it.each([
    ['\\u', 'a=\\u', 1],
    ['too few digits', 'a=1\n# \\u\nb=\\u12\nc=3', 3],
    ['another letter', 'a=1\r\nb=C:\\\\users\r\nc=C:\\users', 3],
    ['a name', '\\u12x4=1', 1],
    ['a line that goes on', 'a=1\nb=2,\\\n  \\uxxxx,\\\n 3\nc=\\u', 2],
  ])('names the line of a malformed escape: %s', async (_what, content, line) => {
    expect(await faultOf(content)).toBe(
      `line ${line}: "\\u" needs four hexadecimal digits behind it (a backslash itself is written "\\\\")`,
    );
  });

  it.each([
    ['a\0=1', 1],
    ['# comment\r\na=1\rb=2\n\0', 4],
    [Buffer.from('a=1\n', 'utf16le'), 1],
  ])('names the line of a zero byte: %j', async (content, line) => {
    expect(await faultOf(content)).toBe(`line ${line}: it has the character U+0000`);
  });

  it.each([
    ['a=1\n\\\n#b=2', 2],
    [' \t\\', 1],
  ])('refuses a line that begins by going on: %j', async (content, line) => {
    expect(await faultOf(content)).toBe(`line ${line}: it begins with the "\\" of a line that goes on`);
  });

  it('refuses a byte order mark, which would be a part of the first name', async () => {
    expect(await faultOf(Buffer.from('\ufeffa=1\n'))).toBe(
      'line 1: it begins with a byte order mark; write it without one',
    );
  });

  it('shows no value, which may be a password', async () => {
    const { message } = await errorOf(load('sasl.jaas.config=SECRET\\users'));
    expect(message).not.toContain('SECRET');
  });
});

describe('A properties file that cannot be read', () => {
  it.each([
    ['is not there', (): string => join(folder, 'no.properties'), 'cannot read it: there is no such file'],
    ['has a file for a folder', (): string => join(file, 'x'), 'cannot read it: there is no such file'],
    ['is a directory', (): string => folder, 'it is a directory'],
    ['is a device', (): string => '/dev/null', 'it is a device, pipe or socket'],
  ])('is an error with its name if it %s', async (_what, pathOf, fault) => {
    await writeFile(file, 'a=1');
    const path = pathOf();
    const { message, context } = await errorOf(loadConsumerProperties(path));
    expect(context.faults).toEqual([fault]);
    expect(message).toBe(`The properties file ${JSON.stringify(path)}: ${fault}`);
  });

  it('is not waited for if it is a pipe', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const { message } = await withDeadline(errorOf(loadConsumerProperties(pipe)), 5000, 'an error');
    expect(message).toContain('it is a device, pipe or socket');
  });

  it('is an error with its cause if the system has another reason', async () => {
    const { message, cause } = await errorOf(loadConsumerProperties(`${folder}/a\0b`));
    expect(message).toContain('cannot read it: ');
    expect(cause).toBeDefined();
  });

  it.each([undefined, null, 5, '', {}, Buffer.from('x')])('cannot be named by %p', async (path) => {
    const { message } = await errorOf(loadConsumerProperties(path as string));
    expect(message).toMatch(/^No properties file: got .*; expected the path of a file$/);
  });
});
