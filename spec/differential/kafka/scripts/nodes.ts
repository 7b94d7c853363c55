import type { Piece } from '../../Comparison';
import type { Stage } from '../Stage';

/** Where in a node's text something differs in each cluster, and why. */
const CLOCK_IN_TEXT = /1[5-9]\d{11}/g;
const PORTS_IN_TEXT = /(?<=[:"/])\d{4,5}(?=[",\]}/]|$)/g;

/** Writes down all nodes at and below a path: names, kinds, versions and data. */
export async function notePaths(
  stage: Stage,
  path: string,
  isOf: (path: string) => boolean = () => true,
): Promise<void> {
  const pieces: Piece[] = [];
  for (const at of (await stage.zookeeper.tree(path)).keys()) {
    const node = await stage.zookeeper.get(at);
    if (node === null || !isOf(at)) continue;
    const isEphemeral = node.ephemeralOwner !== '0x0';
    pieces.push({ field: 'path', bytes: Buffer.from(at) });
    pieces.push({ field: 'isEphemeral', bytes: Buffer.from(String(isEphemeral)) });
    pieces.push({ field: 'version', bytes: Buffer.from(String(node.version)) });
    pieces.push({ field: 'data', bytes: Buffer.from(plain(stage, node.data?.toString('utf8') ?? '')) });
  }
  stage.note(path, pieces);
}

/** Times and ports get names. */
function plain(stage: Stage, text: string): string {
  return stage.names
    .inText(text)
    .replaceAll(CLOCK_IN_TEXT, (time) => (Math.abs(Number(time) - Date.now()) < 600_000 ? '<now>' : time))
    .replaceAll(PORTS_IN_TEXT, (port) => {
      const broker = stage.side.brokers.find((one) => String(one.port) === port);
      return broker === undefined ? port : `<port of broker ${broker.id}>`;
    });
}
