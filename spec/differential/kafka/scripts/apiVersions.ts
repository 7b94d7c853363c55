import { CLIENT_ID, SILENCE_MS, type Stage } from '../Stage';
import type { Part } from '../definitions/PartReader';
import type { Script } from '../script';

const SOFTWARE = { clientSoftwareName: 'spec', clientSoftwareVersion: '1.0' };

async function run(stage: Stage): Promise<void> {
  const served = new Set(
    Object.keys(stage.release.versions).map((name) => stage.definitions.api(name).request.apiKey),
  );
  const arrange = (parts: readonly Part[]): Part[] => onlyOf(parts, served);
  const versions = stage.versions('ApiVersions');
  // Who does not know it may be silent.
  const options = { arrange, ...(versions.length === 0 && { timeoutMs: SILENCE_MS }) };
  for (const version of versions.length === 0 ? [0, 3] : versions) {
    await stage.ask(1, 'ApiVersions', version, SOFTWARE, options);
    const nameless = { ...options, clientId: null, note: 'no client id' };
    await stage.ask(2, 'ApiVersions', version, SOFTWARE, nameless);
  }
  for (const version of versions.filter((one) => one >= 3)) {
    for (const clientSoftwareName of ['', ' ', 'x y', '-spec', `${CLIENT_ID}.1-a`]) {
      const note = `of "${clientSoftwareName}"`;
      await stage.ask(1, 'ApiVersions', version, { ...SOFTWARE, clientSoftwareName }, { arrange, note });
    }
  }
}

/** Puts the requests together that no embedded broker answers, and names the others by their keys. */
function onlyOf(parts: readonly Part[], served: ReadonlySet<number>): Part[] {
  const keys = new Map(
    parts
      .filter(({ field }) => /^apiKeys\[\d+\]\.apiKey$/.test(field))
      .map(({ field, bytes }) => [field.split('.')[0] ?? '', bytes.readInt16BE()] as const),
  );
  const others: Buffer[] = [];
  const kept = parts.flatMap((part) => {
    if (part.field === 'apiKeys.length') {
      others.push(part.bytes);
      return [];
    }
    const [entry = '', ...rest] = part.field.split('.');
    const key = keys.get(entry);
    if (key === undefined) return [part];
    if (served.has(key)) return [{ ...part, field: `apiKeys(${key}).${rest.join('.')}` }];
    others.push(part.bytes);
    return [];
  });
  return [...kept, { field: 'apiKeys (not embedded)', bytes: Buffer.concat(others) }];
}

export const apiVersions: Script = { subject: 'ApiVersions', run };
