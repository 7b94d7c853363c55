import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { findJavaTool } from '../../support/cluster/javaTools';
import { kafkaJars, kafkaVersions } from '../../support/cluster/kafkaJars';

describe('the search for Java and Maven', () => {
  it('says what to install when the path is empty', () => {
    expect(() => findJavaTool('java', { PATH: '' })).toThrow(
      /"java" is not in PATH, and JAVA_HOME is not set\. Install a JDK .*apt-get install openjdk-17-jdk-headless maven.*JAVA_HOME/,
    );
    expect(() => findJavaTool('javac', { PATH: '' })).toThrow(
      /compiled by a JDK, but "javac" is not in PATH/,
    );
    expect(() => findJavaTool('mvn', { PATH: '' })).toThrow(
      /resolved by Maven, but "mvn" is not in PATH\. Install/,
    );
  });

  it('names a JAVA_HOME that has no Java', () => {
    expect(() => findJavaTool('javac', { PATH: '', JAVA_HOME: '/no/such/jdk' })).toThrow(
      /nor in JAVA_HOME \(\/no\/such\/jdk\)/,
    );
  });

  it('prefers JAVA_HOME to the path and takes only files that can be run', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'java-tools-'));
    try {
      const inPath = path.join(folder, 'java');
      const atHome = path.join(folder, 'jdk', 'bin', 'java');
      mkdirSync(path.dirname(atHome), { recursive: true });
      writeFileSync(inPath, '', { mode: 0o755 });
      writeFileSync(atHome, '', { mode: 0o644 });
      const env = { PATH: `/no/such/folder${path.delimiter}${folder}`, JAVA_HOME: path.join(folder, 'jdk') };
      expect(findJavaTool('java', env)).toBe(inPath);
      chmodSync(atHome, 0o755);
      expect(findJavaTool('java', env)).toBe(atHome);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the jars of Kafka', () => {
  it('exist for the oldest and the newest release, sorted by number', () => {
    const versions = kafkaVersions();
    expect(versions).toEqual(expect.arrayContaining(['0.8.2.2', '3.9.1']));
    expect(versions.indexOf('0.8.2.2')).toBeLessThan(versions.indexOf('3.9.1'));
  });

  it('are refused for a release without a pom, with the list of those that have one', async () => {
    await expect(kafkaJars('0.7.2')).rejects.toThrow(/no Kafka "0\.7\.2".*there are: .*0\.8\.2\.2.*3\.9\.1/);
  });
});
