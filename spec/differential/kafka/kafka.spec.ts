import { Comparison } from '../Comparison';
import { MessageDefinitions } from './definitions/messageDefinition';
import { startEmbedded } from './EmbeddedSide';
import { startReal } from './RealSide';
import { RELEASES, type Release } from './releases';
import { runScripts } from './script';
import { SCRIPTS } from './scripts';
import { unseenBytes, unseenPieces } from './sensitivity';
import type { Side } from './Side';
import { Stage, type Recorded } from './Stage';
import { report } from '../../support/report';

const LIMIT_MS = 120_000;

/** What a field's name says behind a space: why it cannot be the same. */
const isLeftOut = (field: string): boolean => field.includes(' (');

interface Run {
  readonly recorded: readonly Recorded[];
  /** How often a name stood in for something that differs from cluster to cluster, by field. */
  readonly named: ReadonlyMap<string, number>;
}

async function runOn(side: Side, release: Release, definitions: MessageDefinitions): Promise<Run> {
  try {
    await using stage = await Stage.open(release, side, definitions);
    await runScripts(stage, SCRIPTS);
    return { recorded: stage.recorded, named: stage.names.mapped };
  } finally {
    await side.stop();
  }
}

function compare(real: readonly Recorded[], embedded: readonly Recorded[]): Comparison {
  const comparison = new Comparison(isLeftOut);
  for (const [index, { request, answer }] of real.entries()) {
    comparison.add(request, answer, embedded[index]?.answer ?? 'silent');
  }
  return comparison;
}

describe.each(RELEASES)('the embedded brokers of $generation and those of Kafka $kafka', (release) => {
  let real: Run;
  let embedded: Run;

  beforeAll(async () => {
    const definitions = await MessageDefinitions.load();
    // At the same time: for the most part each of them waits for answers.
    [real, embedded] = await Promise.all([
      startReal(release).then((side) => runOn(side, release, definitions)),
      startEmbedded(release).then((side) => runOn(side, release, definitions)),
    ]);
  }, LIMIT_MS);

  it('are asked the same', () => {
    expect(embedded.recorded.map(({ request }) => request)).toEqual(
      real.recorded.map(({ request }) => request),
    );
  });

  it('answer the same', () => {
    const comparison = compare(real.recorded, embedded.recorded);
    const named = [...real.named].sort().map(([field, count]) => `${field} (${count})`);
    report(`Kafka ${release.kafka}: ${comparison.summary()}; named: ${named.join(', ')}`);
    expect(comparison.differences).toEqual([]);
    expect(comparison.answers).toBeGreaterThanOrEqual(release.leastAnswers);
  });

  it('would not do so with any byte of a compared field altered', () => {
    expect(unseenPieces(real.recorded, isLeftOut)).toEqual([]);
  });

  it('would not do so with any byte altered on the way, but for those of fields that are left out', () => {
    expect(unseenBytes(real.recorded, isLeftOut)).toEqual([]);
  });
});
