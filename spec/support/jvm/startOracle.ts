import path from 'node:path';

import { JvmCommands } from '../cluster/JvmCommands';
import { compileJava, kafkaJars } from '../cluster/kafkaJars';

const START_LIMIT_MS = 60_000;

export interface OracleOptions {
  /** For messages, such as "The regexes of Java". */
  readonly what: string;
  /** The class in this folder; it is told what to do in lines. */
  readonly mainClass: string;
  /** The release whose jars it needs; null if the JDK is enough. */
  readonly release: string | null;
  readonly args?: readonly string[];
}

/** Starts a program that tells what classes of the JVM make of something. */
export async function startOracle({
  what,
  mainClass,
  release,
  args = [],
}: OracleOptions): Promise<JvmCommands> {
  const jars = release === null ? [] : await kafkaJars(release);
  const sources = ['../cluster/java/Answers.java', `${mainClass}.java`].map((name) =>
    path.join(__dirname, name),
  );
  const classes = await compileJava(`${mainClass}-${release ?? 'jdk'}`, sources, jars);
  const jvm = new JvmCommands(what, {
    ...{ classpath: [classes, ...jars], mainClass, args },
    flags: ['-Xmx96m'],
  });
  try {
    await jvm.started(START_LIMIT_MS);
    return jvm;
  } catch (error) {
    await jvm.end();
    throw error;
  }
}
