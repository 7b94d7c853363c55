import { Fuzzer } from '../../fuzz/Fuzzer';
import { FuzzedCopy } from './support/FuzzedCopy';
import { PLANTED_BUGS } from './support/plantedBugs';

/** Those of the run that every change has to pass. */
const SEED = 6;
const CASES = 20_000;
const ARGUMENTS = ['--seed', String(SEED), '--cases', String(CASES), '--patience', '5'];

describe('npm run fuzz, within 20,000 cases', () => {
  let copy: FuzzedCopy;

  beforeAll(async () => {
    copy = await FuzzedCopy.make();
  });

  afterAll(() => copy.remove());

  it.each(PLANTED_BUGS)(
    'finds that $fault',
    async ({ edits, found }) => {
      const { code, text } = await copy.run(edits, ARGUMENTS);
      const number = Number(/--seed \d+ --case (\d+)/.exec(text)?.[1] ?? NaN);

      expect(text).toMatch(found);
      expect(code).toBe(1);
      expect(number).toBeLessThan(CASES);
      // It is the fault that was planted, and not one that is there anyway.
      expect(new Fuzzer(SEED).run(number, 1)).toBeNull();
    },
    120_000,
  );

  it('says how to have the case again, which fails again', async () => {
    const [bug] = PLANTED_BUGS;
    const edits = bug?.edits ?? [];
    const { text } = await copy.run(edits, ARGUMENTS);
    const [, ...again] = /(--seed) (\d+) (--case) (\d+)/.exec(text) ?? [];
    const second = await copy.run(edits, again);

    expect(second.code).toBe(1);
    expect(second.text).toContain('1 cases in');
    expect(second.text.split('FAILED')[1]).toBe(text.split('FAILED')[1]);
  }, 120_000);

  it('ends with 0 if nothing was found', async () => {
    const { code, text } = await copy.run([], ['--seed', String(SEED), '--cases', '300']);

    expect(text).toMatch(/^seed 6\n300 cases in /);
    expect(code).toBe(0);
  }, 120_000);
});
