import { failureText } from '../../fuzz/failureText';
import { Fuzzer, type FailedCase } from '../../fuzz/Fuzzer';
import { FUZZ_MUTATIONS } from '../../fuzz/mutations/mutations';

const SEED = 6;
const CASES = 20_000;

describe('the decoders, given 20,000 spoilt answers', () => {
  const fuzzer = new Fuzzer(SEED);
  const { report } = fuzzer;
  let failed: FailedCase | null = null;

  beforeAll(() => {
    failed = fuzzer.run(0, CASES);
  }, 240_000);

  it('read in each what the reference reads, and find its first fault in the same place', () => {
    expect(failed === null ? 'nothing failed' : failureText(failed, SEED)).toBe('nothing failed');
    expect(report.cases).toBe(CASES);
  });

  it('get right checksums in at least half of them', () => {
    expect(report.mended).toBeGreaterThanOrEqual(CASES / 2);
  });

  it('get past the layout of the answer in most of them, and past all checksums in half', () => {
    expect(report.rightLayout).toBeGreaterThan(0.7 * CASES);
    expect(report.pastChecksum).toBeGreaterThan(0.5 * CASES);
    expect(report.messages).toBeGreaterThan(CASES);
  });

  it('refuse them for each of the reasons that there are', () => {
    const often = [...report.errors].filter(([, count]) => count >= 50).map(([code]) => code);

    expect(often.sort()).toEqual([
      'BROKER_ERROR',
      'CODEC_UNSUPPORTED',
      'FORMAT_UNSUPPORTED',
      'MESSAGE_CORRUPT',
      'MESSAGE_TOO_LARGE',
    ]);
  });

  it('meet each kind of mutation often', () => {
    const seldom = FUZZ_MUTATIONS.filter(({ kind }) => (report.kinds.get(kind) ?? 0) < 50);

    expect(seldom.map(({ kind }) => kind)).toEqual([]);
  });

  it('are given the same case again by its seed and number', () => {
    const alone = new Fuzzer(SEED);
    const [one, other] = [fuzzer, alone].map((each) => each.caseOf(777));

    expect(one?.body.equals(other?.body ?? Buffer.alloc(0))).toBe(true);
    expect(one?.kinds).toEqual(other?.kinds);
  });
});
