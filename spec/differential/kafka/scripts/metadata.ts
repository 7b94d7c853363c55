import type { Fields } from '../definitions/messageDefinition';
import { CLIENT_ID, type Stage } from '../Stage';
import type { Script } from '../script';
import { createTopic, learnTopicId } from '../topics';

const KNOWN = 'meta-one';
const OTHER = 'meta-two';

async function run(stage: Stage): Promise<void> {
  await createTopic(stage, KNOWN, { assignment: [[1, 2], [2, 1], [1]] });
  await createTopic(stage, OTHER, { assignment: [[2]] });
  const id = await learnTopicId(stage, KNOWN);
  const ask = (version: number, note: string, fields: Fields): Promise<Fields> =>
    stage.ask(1, 'Metadata', version, { allowAutoTopicCreation: false, ...fields }, { note });
  for (const version of stage.versions('Metadata')) {
    await ask(version, 'all', { topics: version === 0 ? [] : null });
    await ask(version, 'one', { topics: named(KNOWN) });
    await ask(version, 'some, one twice', { topics: named(OTHER, KNOWN, OTHER) });
    if (version > 0) await ask(version, 'none', { topics: [] });
    // Before version 4 a broker creates what it is asked for.
    if (version >= 4) await ask(version, 'unknown', { topics: named(KNOWN, `${CLIENT_ID}-unknown`) });
    const names = ['', '.', '..', 'with space', 'umlaut-ä', 'x'.repeat(250)];
    for (const name of names) {
      await ask(version, `illegal "${name.slice(0, 12)}"`, { topics: named(name) });
    }
    if (version >= 8) {
      await ask(version, 'with operations', {
        topics: named(KNOWN),
        includeTopicAuthorizedOperations: true,
        ...(version <= 10 ? { includeClusterAuthorizedOperations: true } : {}),
      });
    }
    if (version >= 10) {
      await ask(version, 'by id', { topics: [{ topicId: id, name: null }] });
      await ask(version, 'by id and name', { topics: [{ topicId: id, name: OTHER }] });
      await ask(version, 'by an unknown id', { topics: [{ topicId: 'ab'.repeat(16), name: null }] });
      await ask(version, 'by nothing', { topics: [{ name: null }] });
    }
  }
}

function named(...names: readonly string[]): Fields[] {
  return names.map((name) => ({ name }));
}

export const metadata: Script = { subject: 'Metadata', run };
