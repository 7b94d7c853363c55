import type { Socket } from 'node:net';

/**
 * Ends a connection with a reset, at once. Node cannot reset a socket that is being shut down: it would leave it open
 * without a name, and the process could not end. Such a one is closed.
 */
export function resetSocket(socket: Socket): void {
  if (socket.destroyed) return;
  if (socket.connecting || socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
