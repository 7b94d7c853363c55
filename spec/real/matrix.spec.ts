import { runCell } from '../matrix/runCell';
import { redReasons } from '../matrix/verdict';

// Real servers: this is about the releases themselves.
// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

/** What no other spec of this folder runs on. */
const RELEASES = ['0.11.0.3', '1.1.1', '2.8.2-zookeeper-3.6.4'];

describe('the matrix of versions', () => {
  it.each(RELEASES)(
    'with Kafka %s has each message of each codec in order, and right offsets, through rebalances, a restart, an expiry and a crash',
    async (release) => {
      const steps: string[] = [];
      const cell = await runCell(release, (step) => steps.push(step));
      expect({ reasons: redReasons(cell), steps }).toEqual({ reasons: [], steps });
      const messages = Object.values(cell.codecs).reduce((sum, { delivered }) => sum + delivered, 0);
      const repeated = Object.values<number>({ ...cell.repeated }).reduce((sum, one) => sum + one, 0);
      process.stdout.write(
        `    Kafka ${cell.kafka} with ZooKeeper ${cell.zookeeper}: ${messages} messages, ${repeated} of them repeated, ` +
          `${cell.rebalances} rebalances, ${cell.durationMs} ms\n`,
      );
    },
  );
});
