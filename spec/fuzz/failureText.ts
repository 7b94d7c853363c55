import type { FailedCase } from './Fuzzer';

const HEX_PER_LINE = 100;

/** What went wrong, with all that is needed to have it again, here or elsewhere. */
export function failureText({ one, why }: FailedCase, seed: number): string {
  const hex = one.body.toString('hex').replace(new RegExp(`.{${HEX_PER_LINE}}`, 'g'), '$&\n');
  return (
    `FAILED: ${why}\n\n` +
    `again by: npm run fuzz -- --seed ${seed} --case ${one.number}\n` +
    `from: ${one.samples[0]?.name ?? ''}\n` +
    `mutations: ${one.kinds.join('; ')}; checksums ${one.isMended ? '' : 'not '}mended\n` +
    `Fetch v${one.version}, ${one.isolationLevel}, ${one.body.length} bytes:\n${hex}\n`
  );
}
