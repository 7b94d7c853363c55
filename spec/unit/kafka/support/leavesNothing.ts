import { waitFor } from '../../../support/waitFor';

/** Sockets and timers that keep the process alive. */
function count(): number {
  return process
    .getActiveResourcesInfo()
    .filter((name) => /Timeout|Immediate|TCPSocketWrap|TCPConnectWrap|TCPServerWrap/.test(name)).length;
}

/** Runs `body` and then waits until no socket and no timer is there that was not there before. */
export async function leavesNothing(body: () => Promise<void>): Promise<void> {
  const before = count();
  await body();
  await waitFor(() => count() <= before, {
    timeoutMs: 2000,
    description: 'sockets and timers to be gone',
    details: () => process.getActiveResourcesInfo().join(' '),
  });
}
