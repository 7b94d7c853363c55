import { sessionIdText } from '../sessions/SessionIds';
import { FULL_VERSIONS } from '../ZookeeperRelease';
import type { ClientConversation } from './ClientConversation';
import { configurationText, environmentText } from './configurationText';
import { dumpText } from './dumpText';
import type { EnsembleServer } from './EnsembleServer';
import { monitorText } from './monitorText';
import { watchesByPath, watchesBySession, watchSummary } from './watchTexts';

const NOT_SERVING = 'This ZooKeeper instance is not currently serving requests\n';

/** What a server that has a leader says to a word of four letters. */
const COMMANDS: ReadonlyMap<string, (server: EnsembleServer) => string> = new Map([
  ['srvr', (server: EnsembleServer) => `${versionLine(server)}${statistics(server)}`],
  ['stat', (server: EnsembleServer) => `${versionLine(server)}${clients(server)}${statistics(server)}`],
  ['cons', (server: EnsembleServer) => `${connections(server, consDetails)}\n`],
  ['dump', dumpText],
  ['conf', configurationText],
  ['mntr', monitorText],
  ['wchs', watchSummary],
  ['wchc', watchesBySession],
  ['wchp', watchesByPath],
  ['srst', resetServer],
  ['crst', resetConnections],
]);

/** What is answered to a word in place of a frame's length; null if it is no word that the servers know. */
export function answerCommand(word: string, server: EnsembleServer): string | null {
  const answer = textOf(word, server);
  if (answer === null) return null;
  server.traffic.received += 1;
  server.traffic.sent += 1;
  return answer;
}

function textOf(word: string, server: EnsembleServer): string | null {
  if (word === 'ruok') return 'imok';
  if (word === 'isro') return server.isServing ? 'rw' : 'null';
  if (word === 'envi') return environmentText(server);
  const command = COMMANDS.get(word);
  if (command === undefined) return null;
  return server.isServing ? command(server) : NOT_SERVING;
}

function resetServer({ traffic }: EnsembleServer): string {
  traffic.reset();
  return 'Server stats reset.\n';
}

function resetConnections({ conversations }: EnsembleServer): string {
  for (const { traffic } of conversations) traffic.reset();
  return 'Connection stats reset.\n';
}

function versionLine({ database }: EnsembleServer): string {
  return `Zookeeper version: ${FULL_VERSIONS[database.release]}\n`;
}

function statistics({ traffic, database, conversations, mode }: EnsembleServer): string {
  const isNewer = database.release === '3.8';
  const lines = [
    `Latency min/avg/max: ${traffic.minMs}/${traffic.averageText(database.release)}/${traffic.maxMs}`,
    `Received: ${traffic.received}`,
    `Sent: ${traffic.sent}`,
    `Connections: ${conversations.size}`,
    'Outstanding: 0',
    `Zxid: 0x${database.lastZxid.toString(16)}`,
    `Mode: ${mode}`,
    `Node count: ${database.tree.countedNodes}`,
    ...(mode === 'leader' && isNewer ? ['Proposal sizes last/min/max: -1/-1/-1'] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function clients(server: EnsembleServer): string {
  return `Clients:\n${connections(server, () => '')}\n`;
}

function connections(server: EnsembleServer, details: (conversation: ClientConversation) => string): string {
  return [...server.conversations]
    .map((conversation) => {
      const { session, connection, traffic } = conversation;
      // One without a session is mostly the one over which this is asked: it does not wait for requests any more.
      const [interest, received] = session === null ? [0, 1] : [1, traffic.received];
      const counts = `queued=0,recved=${received},sent=${traffic.sent}`;
      return ` /127.0.0.1:${connection.remotePort}[${interest}](${counts}${details(conversation)})\n`;
    })
    .join('');
}

function consDetails({ session, lastOperation, establishedMs, traffic }: ClientConversation): string {
  if (session === null) return '';
  const facts = [
    `sid=${sessionIdText(session.id)}`,
    `lop=${lastOperation?.label ?? 'NA'}`,
    `est=${establishedMs}`,
    `to=${session.timeoutMs}`,
    ...(lastOperation === null || lastOperation.xid < 0 ? [] : [`lcxid=0x${lastOperation.xid.toString(16)}`]),
    `lzxid=0x${(lastOperation?.zxid ?? 0n).toString(16)}`,
    `lresp=${lastOperation?.atMs ?? 0}`,
    `llat=${lastOperation?.latencyMs ?? 0}`,
    `minlat=${traffic.minMs}`,
    `avglat=${Math.floor(traffic.averageMs)}`,
    `maxlat=${traffic.maxMs}`,
  ];
  return `,${facts.join(',')}`;
}
