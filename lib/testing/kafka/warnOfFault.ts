import { inspect } from 'node:util';

/** A fault of the embedded brokers, and not of those who use them: it must be seen. */
export function warnOfFault(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  process.emitWarning(`an embedded broker failed: ${message}`, {
    type: 'EmbeddedClusterWarning',
    detail: inspect(error),
  });
}
