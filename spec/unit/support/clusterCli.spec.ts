import { spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');

function cli(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const file = path.join(ROOT, 'spec/support/cluster/cli.ts');
  const options = { cwd: ROOT, encoding: 'utf8', timeout: 20_000 } as const;
  return spawnSync(process.execPath, ['--import', 'tsx', file, ...args], options);
}

describe('npm run cluster', () => {
  it('prints its options and the releases that there are', () => {
    const { status, stdout } = cli('--help');
    expect(status).toBe(0);
    expect(stdout).toMatch(/--kafka VERSION +one of 0\.8\.1\.1, .*3\.9\.1/);
  });

  it.each([
    [['--kafka', '0.7.2'], /no Kafka "0\.7\.2"; there are: 0\.8\.1\.1, .*3\.9\.1/],
    [[], /--kafka is missing; there are: 0\.8\.1\.1/],
    [['--kafka', '3.9.1', '--brokers', 'two'], /--brokers must be a whole number from 1 on, not "two"/],
    [['--kafka', '3.9.1', '--topic', 'clicks'], /--topic must be NAME:PARTITIONS, not "clicks"/],
    [['--kafka', '3.9.1', '--chroot', 'kafka'], /--chroot must be a path such as \/kafka, not "kafka"/],
    [['--kafka', '3.9.1', '--broker-property', 'a'], /--broker-property must be KEY=VALUE, not "a"/],
    [['--kafka', '3.9.1', '--nodes', '3'], /'--nodes'/],
  ])('refuses %j', (args, message) => {
    const { status, stdout, stderr } = cli(...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
