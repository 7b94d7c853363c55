import path from 'node:path';

import { findJavaTool } from '../cluster/javaTools';
import { kafkaJars } from '../cluster/kafkaJars';
import { runCommand, type CommandOptions, type CommandResult } from './runCommand';

const FLAGS = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xmx128m', '-Djava.net.preferIPv4Stack=true'];

/** Runs a command line of Kafka or ZooKeeper, by its main class, with the jars of a release. */
export async function runJavaMain(
  release: string,
  mainClass: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const classpath = (await kafkaJars(release)).join(path.delimiter);
  const all = [...FLAGS, mainClass, ...args];
  return runCommand(findJavaTool('java'), all, { timeoutMs: 60_000, ...options, classpath });
}
