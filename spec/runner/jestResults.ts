import { readFileSync } from 'node:fs';

import type { Counts } from './outcome';

/** The part of jest's own JSON (`--json`) that is read here. */
export interface JestResults {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly JestFileResult[];
}

interface JestFileResult {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped' | 'pending' | 'focused';
  /** Why the file as a whole failed, or what its tests failed with. */
  readonly message: string;
  /** Milliseconds since 1970, when the last hook after the last test had ended. */
  readonly endTime: number;
  readonly assertionResults: readonly JestTestResult[];
}

interface JestTestResult {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[] | null;
}

/** Null as long as the file is not there or not yet written to its end. */
export function readJestResults(file: string): JestResults | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as JestResults;
  } catch {
    return null;
  }
}

/** A file that failed without a failed test (it could not be loaded, it is empty) counts as one. */
export function jestCounts(results: JestResults): Counts {
  const failedFiles = results.testResults.filter(
    (file) => file.status === 'failed' && failedTests(file).length === 0,
  );
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + failedFiles.length,
    skipped: results.numPendingTests + results.numTodoTests,
  };
}

/** When the last of the files had ended. */
export function lastTestEndedAt(results: JestResults): number {
  return Math.max(0, ...results.testResults.map(({ endTime }) => endTime));
}

/** Of every failed test, and of files that failed without any. */
export function failureMessages(results: JestResults): string[] {
  return results.testResults.flatMap((file) => {
    const failed = failedTests(file);
    if (failed.length === 0) return file.status === 'failed' ? [block(file.name, file.message)] : [];
    return failed.map((test) => block(test.fullName, (test.failureMessages ?? []).join('\n')));
  });
}

function failedTests(file: JestFileResult): JestTestResult[] {
  return file.assertionResults.filter(({ status }) => status === 'failed');
}

function block(title: string, text: string): string {
  const indented = text.trim().replace(/^(?=.)/gm, '      ');
  return `\n  ✕ ${title}\n\n${indented}\n`;
}
