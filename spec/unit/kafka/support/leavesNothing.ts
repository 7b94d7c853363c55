import { AsyncResource, createHook, executionAsyncId } from 'node:async_hooks';

import { waitFor } from '../../../support/waitFor';

interface Resource {
  readonly hasRef?: () => boolean;
}

/**
 * Runs `body` and then waits until no socket and no timer is left that keeps the process alive. Only what comes out of the
 * body counts: the test runner has timers of its own, which come and go.
 */
export async function leavesNothing(body: () => Promise<void>, timeoutMs = 2000): Promise<void> {
  const root = new AsyncResource('leavesNothing');
  /** Ids of everything asynchronous that the body has begun, and of what came out of that. */
  const own = new Set([root.asyncId()]);
  const alive = new Map<number, { readonly type: string; readonly resource: Resource }>();
  const left = (): string[] =>
    Array.from(alive.values())
      .filter(({ resource }) => resource.hasRef?.() ?? true)
      .map(({ type }) => type);
  const hook = createHook({
    init: (id, type, trigger, resource) => {
      // A server's end of a connection is begun by nobody, but has the server as its trigger.
      if (!own.has(executionAsyncId()) && !(type === 'TCPWRAP' && own.has(trigger))) return;
      own.add(id);
      if (/^(Timeout|Immediate|TCPWRAP|TCPSERVERWRAP|TCPCONNECTWRAP)$/.test(type)) {
        alive.set(id, { type, resource });
      }
    },
    destroy: (id) => alive.delete(id),
  }).enable();
  try {
    await root.runInAsyncScope(body);
    await waitFor(() => left().length === 0, {
      timeoutMs,
      description: 'sockets and timers to be gone',
      details: () => left().join(' '),
    });
  } finally {
    hook.disable();
  }
}
