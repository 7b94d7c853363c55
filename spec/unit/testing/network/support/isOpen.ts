import { once } from 'node:events';
import { connect } from 'node:net';

import { HOST } from '../../../../../lib/testing/network/Listener';

/** Whether somebody listens at a port. */
export async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, HOST);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
