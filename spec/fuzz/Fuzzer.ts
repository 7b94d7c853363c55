import { performance } from 'node:perf_hooks';
import vm from 'node:vm';

import { errorCode } from '../../lib/kafka/errorText';
import type { FetchedPartition } from '../../lib/kafka/fetch';
import { capturedAnswers } from '../support/records/capturedAnswers';
import type { ReferenceResult } from '../support/records/referenceDecoder';
import { sampleAnswers, type Sample } from '../support/records/sampleAnswers';
import type { Chance } from '../support/mutating/mutation';
import { AllocationMeter } from './AllocationMeter';
import { checkAnswer } from './checkAnswer';
import { checkSet } from './checkSet';
import { makeCase, type FuzzCase } from './FuzzCase';
import { FuzzFailure, must } from './FuzzFailure';
import { FuzzReport } from './FuzzReport';
import { MOST_CASE_MS } from './limits';
import { entriesIn } from './mutations/entries';
import { mustBeOriginal } from './originals';

/** So many cases have one timer, which costs as much as some of them. */
const CASES_PER_TIMER = 200;
/** By the clock on the wall, so it is long enough for a machine that stands still for a while. */
const PATIENCE_MS = 120_000;

/** A case that the code under test has failed. */
export interface FailedCase {
  readonly one: FuzzCase;
  readonly why: string;
}

/** Runs cases; the same with the same seed. */
export class Fuzzer {
  readonly report = new FuzzReport();
  readonly #seed: number;
  /** How long the cases of one timer may take. */
  readonly #patienceMs: number;
  readonly #samples: readonly Sample[];
  readonly #meter = new AllocationMeter();
  /** The case that is being run. */
  #running = 0;

  constructor(seed: number, patienceMs = PATIENCE_MS) {
    this.#seed = seed;
    this.#patienceMs = patienceMs;
    // Real answers are many and alike, so the made ones, of which each is of another kind, count three times.
    const made = sampleAnswers(seed);
    this.#samples = [...capturedAnswers(), ...made, ...made, ...made];
  }

  caseOf(number: number): FuzzCase {
    return makeCase(this.#samples, this.#seed, number);
  }

  /** Runs cases until one fails, which is answered, all are done, or the time is over. */
  run(firstCase: number, count: number, mostMs = Infinity): FailedCase | null {
    const startMs = performance.now();
    const end = firstCase + count;
    this.#meter.install();
    try {
      let next = firstCase;
      while (next < end && performance.now() - startMs < mostMs) {
        const until = Math.min(end, next + CASES_PER_TIMER);
        const failed = this.#runBounded(next, until);
        if (failed !== null) return failed;
        next = until;
      }
      return null;
    } finally {
      this.#meter.remove();
      this.report.elapsedMs += performance.now() - startMs;
    }
  }

  /** An endless loop can be ended only from outside: node:vm stops whatever runs below it. */
  #runBounded(from: number, until: number): FailedCase | null {
    const work = (): FailedCase | null => {
      for (let number = from; number < until; number += 1) {
        const failed = this.#runCase(number);
        if (failed !== null) return failed;
      }
      return null;
    };
    try {
      return vm.runInNewContext('work()', { work }, { timeout: this.#patienceMs }) as FailedCase | null;
    } catch (error) {
      if (errorCode(error) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      const why = `it does not end within ${this.#patienceMs} ms, or the machine stood still`;
      return { one: this.caseOf(this.#running), why };
    }
  }

  #runCase(number: number): FailedCase | null {
    this.#running = number;
    const one = this.caseOf(number);
    const startMs = performance.now();
    try {
      this.#check(one);
      if (performance.now() - startMs > MOST_CASE_MS) this.#checkTime(number);
      return null;
    } catch (error) {
      const why = error instanceof FuzzFailure ? error.message : stackOf(error);
      return { one, why };
    }
  }

  /** By the clock on the wall it took too long, which may have been the machine: once more, by processor time. */
  #checkTime(number: number): void {
    const one = this.caseOf(number);
    const before = process.cpuUsage();
    this.#check(one);
    const { user } = process.cpuUsage(before);
    must(user / 1000 < MOST_CASE_MS, () => `it takes ${user / 1000} ms`);
  }

  #check(one: FuzzCase): void {
    const { report } = this;
    report.cases += 1;
    if (one.isMended) report.mended += 1;
    for (const kind of one.kinds) report.count(report.kinds, kind);
    const answer = checkAnswer(one, this.#meter);
    if (answer === null) {
      report.count(report.errors, 'BROKER_ERROR');
      return;
    }
    report.rightLayout += 1;
    const { partitions } = answer.ours;
    if (partitions.length === 0) return;
    const chosen = one.chance.isTrue(0.5) ? [one.chance.of(partitions)] : partitions;
    const results = chosen.map((fetched) => this.#checkPartition(one, fetched));
    if (results.every(({ fault }) => fault?.isChecksum !== true)) report.pastChecksum += 1;
    if (!one.isMended) for (const { messages } of results) mustBeOriginal(one, messages);
  }

  #checkPartition({ chance, isolationLevel }: FuzzCase, fetched: FetchedPartition): ReferenceResult {
    const { report } = this;
    const from = startIn(fetched.records, chance);
    const isCommittedOnly = isolationLevel === 'read_committed';
    const unpinAt = chance.between(-4, 4);
    const result = checkSet(fetched, from, { isCommittedOnly, unpinAt }, this.#meter);
    report.sets += 1;
    report.messages += result.messages.length;
    if (result.fault !== null) report.count(report.errors, result.fault.code);
    return result;
  }
}

/** Where reading begins: mostly in front of all, else at one of its entries, or near it. */
function startIn(records: Buffer, chance: Chance): number {
  const { entries } = entriesIn(records);
  if (entries.length === 0 || chance.isTrue(0.5)) return 0;
  const offset = Number(chance.of(entries).readBigInt64BE(0));
  const start = offset + chance.of([-1, 0, 0, 1, 2, 3]);
  return Math.min(Math.max(0, start), Number.MAX_SAFE_INTEGER - 1);
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
