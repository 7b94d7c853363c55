import { once } from 'node:events';
import { connect } from 'node:net';

const LIMIT_MS = 5000;

/** What a ZooKeeper server answers to a command such as `cons` (connections) or `wchp` (watches by path). */
export async function fourLetterWord(
  { host, port }: { readonly host: string; readonly port: number },
  word: 'cons' | 'wchp' | 'srvr',
): Promise<string> {
  const socket = connect({ host, port });
  socket.setTimeout(LIMIT_MS, () => socket.destroy(new Error(`no answer to ${word}`)));
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const ended = once(socket, 'close'); // rejects with an error of the socket
  socket.write(word);
  await ended;
  return text;
}

/** The connections that the server has for this session. */
export async function connectionsOf(
  server: { readonly host: string; readonly port: number },
  sessionId: string,
): Promise<string[]> {
  const lines = (await fourLetterWord(server, 'cons')).split('\n');
  return lines.filter((line) => line.includes(`sid=${sessionId},`));
}

/** The paths whose data the session watches at this server, sorted; watches of children are never told. */
export async function dataWatchesOf(
  server: { readonly host: string; readonly port: number },
  sessionId: string,
): Promise<string[]> {
  const paths: string[] = [];
  let path = '';
  // A path in a line of its own, then its sessions, each behind a tab.
  for (const line of (await fourLetterWord(server, 'wchp')).split('\n')) {
    if (line.startsWith('/')) path = line;
    else if (line.trim() === sessionId) paths.push(path);
  }
  return paths.sort();
}
