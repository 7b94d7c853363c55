import { spawn } from 'node:child_process';
import path from 'node:path';

import { findJavaTool } from '../spec/support/cluster/javaTools';
import { CLIENTS_FOLDER } from './build';
import type { Client } from './clientTable';
import type { ClientReport, Job } from './clients/job';
import { faultOf, type Contents, type Run } from './figures';
import { machineCpuMs, processCpuMs } from './machine';

/** Longest run; a client that takes longer than this reads nothing any more. */
const LIMIT_MS = 240_000;

export interface RunSettings {
  readonly client: Client;
  readonly job: Job;
  readonly loaded: Contents;
  /** The JVM of ZooKeeper and the broker. */
  readonly brokerPid: number;
  readonly javaClasspath: string;
}

/** One run of one client, in a process of its own. */
export async function runClient(settings: RunSettings): Promise<Run> {
  const { brokerPid, job, loaded } = settings;
  const startedMs = performance.now();
  const [machineMs, brokerMs] = [machineCpuMs(), await processCpuMs(brokerPid)];
  let report: ClientReport;
  try {
    report = await reportOf(...commandOf(settings));
  } catch (error) {
    return { red: error instanceof Error ? error.message : String(error) };
  }
  const tookMs = performance.now() - startedMs;
  const brokerCpuMs = (await processCpuMs(brokerPid)) - brokerMs;
  const otherMs = machineCpuMs() - machineMs - brokerCpuMs - report.cpuMs;
  const fault = faultOf(report, loaded);
  if (fault !== null) return { red: fault };
  const perMessage = (ms: number): number => (ms * 1000) / job.messages;
  return {
    messagesPerSecond: (job.messages / report.tookMs) * 1000,
    steadyCpuMicros: perMessage(report.steadyCpuMs),
    cpuMicros: perMessage(report.cpuMs),
    maxRssBytes: report.maxRssBytes,
    brokerCpuMicros: perMessage(brokerCpuMs),
    otherCores: Math.max(0, otherMs / tookMs),
  };
}

function commandOf({ client, job, javaClasspath }: RunSettings): [string, string[]] {
  const { broker, topic, group, messages } = job;
  switch (client.program) {
    case 'java': {
      const args = [`${broker.host}:${broker.port}`, topic, group, String(messages)];
      return [findJavaTool('java'), ['-cp', javaClasspath, 'ConsumerClient', ...args]];
    }
    case 'bare':
      return nodeCommand(job.fetchVersion === 2 ? 'bareLoop' : 'bareBatchLoop', job);
    default:
      return nodeCommand(client.program, job);
  }
}

function nodeCommand(program: string, job: Job): [string, string[]] {
  const file = path.join(CLIENTS_FOLDER, `${program}.js`);
  return [process.execPath, [file, JSON.stringify(job)]];
}

/** Runs a client to its end; its last line is the report. */
async function reportOf(command: string, args: readonly string[]): Promise<ClientReport> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  try {
    const how = await new Promise<string>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => resolve(signal ?? `exit code ${String(code)}`));
    });
    const last = output.trim().split('\n').at(-1) ?? '';
    if (how === 'exit code 0' && last.startsWith('{')) return JSON.parse(last) as ClientReport;
    if (how === 'SIGKILL') throw new Error(`not ready after ${LIMIT_MS / 1000} s`);
    throw new Error(`${how}: ${firstLine(errors)}`);
  } finally {
    process.off('exit', end);
  }
}

/** The first line of what went wrong, which is not one of a logger's warnings. */
function firstLine(errors: string): string {
  const lines = errors.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => /error|exception/i.test(line)) ?? lines[0] ?? 'it said nothing';
}
