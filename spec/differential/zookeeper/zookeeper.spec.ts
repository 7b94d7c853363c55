import { alterEachByte, compareTapes } from './compareTapes';
import { allScripts, SEED } from './scripts';
import { releases, withEmbeddedServer, withRealServer } from './servers';
import { Stage } from './Stage';
import type { Tape } from './Tape';
import { report } from '../../support/report';

const LIMIT_MS = 120_000;
const LEAST_ANSWERS = 5000;

describe.each(releases)('the embedded ZooKeeper and the real one of $zookeeper', (release) => {
  let real: Tape;
  let embedded: Tape;

  beforeAll(async () => {
    const scripts = allScripts(release.embedded !== '3.4');
    [real, embedded] = await Promise.all([
      withRealServer(release, (server) => new Stage(server).play(scripts)),
      withEmbeddedServer(release, (server) => new Stage(server).play(scripts)),
    ]);
  }, LIMIT_MS);

  it('answer the same, byte for byte and in the same order', () => {
    const comparison = compareTapes(real, embedded);
    report(`ZooKeeper ${release.zookeeper}, seed ${SEED}: ${comparison.summary()}`);

    expect(comparison.differences).toEqual([]);
    expect(comparison.answers).toBeGreaterThan(LEAST_ANSWERS);
  });

  it(
    'would be told apart by any single byte that is compared',
    () => {
      const { bytes, unnoticed } = alterEachByte(real);

      expect(bytes).toBe(compareTapes(real, real).bytes);
      expect(unnoticed).toEqual([]);
    },
    LIMIT_MS,
  );
});
