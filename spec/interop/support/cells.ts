import type { JvmRelease } from '../../support/jvm/JvmMember';
import { isFull } from './isFull';
import type { Sharing } from './MixedGroup';
import { doubleEscapes, equalSubscriptions, filters, silentPeers, staticTopics, type Scene } from './scenes';

/** A scene with members of one release of the connector on brokers of one release. */
export interface Cell {
  /** Which is part of the names of the group and of its topics. */
  readonly scene: string;
  readonly connector: JvmRelease;
  readonly kafka: string;
  readonly sharing: Sharing;
  readonly isJvmSilent: boolean;
  readonly play: Scene;
}

const KAFKAS = ['0.8.1.1', '0.8.2.2', '0.9.0.1', '0.10.2.2', '0.11.0.3', '1.1.1', '2.8.2', '3.9.1'];
const CONNECTORS: readonly JvmRelease[] = ['0.8.2.2', '0.10.2.2', '1.1.1'];

/**
 * A broker of 0.9 that gets a Fetch v3, which it cannot parse, forgets all other requests that the same network thread has just
 * read. With more of them than connections, none is shared.
 */
export function brokerPropertiesOf(kafka: string): Record<string, string> {
  return kafka.startsWith('0.9.') ? { 'num.network.threads': '200' } : {};
}

/** Those that every run of the specs has: each connector, each strategy, fixed topics and filters, and the silent peers. */
const ALWAYS: readonly string[] = [
  '0.8.2.2 on 0.8.2.2: roundrobin',
  '1.1.1 on 0.8.2.2: silent',
  '0.8.2.2 on 3.9.1: filters',
  '0.10.2.2 on 3.9.1: roundrobin',
  '1.1.1 on 3.9.1: static',
  '1.1.1 on 3.9.1: roundrobin',
  '1.1.1 on 3.9.1: escapes',
];

/** All cells with INTEROP=full, else some of them; by the release of the brokers. */
export function cellsByKafka(): [string, readonly Cell[]][] {
  return KAFKAS.map((kafka): [string, Cell[]] => {
    const cells = CONNECTORS.flatMap((connector) => cellsOf(connector, kafka));
    return [kafka, cells.filter((cell) => isFull() || ALWAYS.includes(nameOf(cell)))];
  }).filter(([, cells]) => cells.length > 0);
}

function nameOf({ connector, kafka, scene }: Cell): string {
  return `${connector} on ${kafka}: ${scene}`;
}

function cellsOf(connector: JvmRelease, kafka: string): Cell[] {
  const place = { connector, kafka };
  // From 0.10 on the connector sends Fetch v3 whatever the broker is; brokers before 0.10.1 close the connection or never answer.
  if (connector !== '0.8.2.2' && ['0.8.1.1', '0.8.2.2', '0.9.0.1'].includes(kafka)) {
    return [{ ...place, scene: 'silent', sharing: 'range', isJvmSilent: true, play: silentPeers }];
  }
  // Members of 1.1.1 cannot read a regex with backslashes back.
  const filtered = filters(connector === '1.1.1' ? '[.]' : '\\.');
  const roundRobin = { textOrder: connector === '1.1.1' ? '1.0' : '0.8' } as const;
  const play = connector === '0.8.2.2' ? equalSubscriptions : staticTopics;
  const cells: Cell[] = [
    { ...place, scene: 'static', sharing: 'range', isJvmSilent: false, play: staticTopics },
    { ...place, scene: 'filters', sharing: 'range', isJvmSilent: false, play: filtered },
    { ...place, scene: 'roundrobin', sharing: roundRobin, isJvmSilent: false, play },
  ];
  if (connector !== '1.1.1') return cells;
  return [
    ...cells,
    { ...place, scene: 'escapes', sharing: 'range', isJvmSilent: false, play: doubleEscapes },
  ];
}
