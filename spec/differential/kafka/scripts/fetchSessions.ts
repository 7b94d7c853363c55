import type { Fields, Value } from '../definitions/messageDefinition';
import type { Part } from '../definitions/PartReader';
import { recordSet } from '../records/sets';
import type { Script } from '../script';
import type { Stage } from '../Stage';
import { fillTopic } from './fetchLogs';
import { produceFields } from './produce';
import { createTopic } from '../topics';

const FIRST_VERSION = 7;
const SESSION = 'sessionId';

/** A consumer that names its partitions once, and then only what changes. */
class Session {
  readonly #stage: Stage;
  readonly #version: number;
  /** 0 until the broker has given one. */
  #id = 0;

  constructor(stage: Stage, version: number) {
    this.#stage = stage;
    this.#version = version;
  }

  get id(): number {
    return this.#id;
  }

  async ask(note: string, sessionEpoch: number, topics: readonly Value[], more: Fields = {}): Promise<void> {
    const fields = { maxWaitMs: 0, minBytes: 0, sessionId: this.#id, sessionEpoch, topics, ...more };
    const answer = await this.#stage.ask(1, 'Fetch', this.#version, fields, {
      note,
      arrange: (parts) => parts.map((part) => this.#named(part)),
    });
    if (this.#id === 0) this.#id = Number(answer[SESSION] ?? 0);
  }

  /** Ids are drawn: all that can be the same is whether there is one, and that it stays. */
  #named(part: Part): Part {
    if (part.field !== SESSION) return part;
    const id = part.bytes.readInt32BE();
    if (id === 0) return part;
    if (this.#id === 0) return { ...part, bytes: Buffer.from('<a new session>') };
    return id === this.#id ? { ...part, bytes: Buffer.from('<the session>') } : part;
  }
}

async function run(stage: Stage): Promise<void> {
  for (const version of stage.versions('Fetch').filter((one) => one >= FIRST_VERSION)) {
    const topic = `fetch-session-${version}`;
    const topicId = await createTopic(stage, topic, { assignment: [[1], [1]] });
    await fillTopic(stage, topic, 0, 1);
    const asked = (partition: number, fetchOffset: number): Value => {
      return { topic, topicId, partitions: [{ partition, fetchOffset, partitionMaxBytes: 1000 }] };
    };
    const add = async (partition: number): Promise<void> => {
      const fields = produceFields(topic, [[partition, recordSet(2, [{ value: 'new' }])]]);
      await stage.look(1, 'Produce', stage.newest('Produce'), fields);
    };
    const session = new Session(stage, version);
    await session.ask('no session', -1, [asked(0, 0)]);
    await session.ask('a new one', 0, [asked(0, 4), asked(1, 0)]);
    await session.ask('nothing new', 1, []);
    await add(1);
    await session.ask('one has more', 2, []);
    await session.ask('still the same place', 3, []);
    await session.ask('read on', 4, [asked(1, 1)]);
    await session.ask('back', 5, [asked(0, 1)]);
    const forgottenTopicsData = [{ topic, topicId, partitions: [0] }];
    await session.ask('one forgotten', 6, [], { forgottenTopicsData });
    await add(0);
    await add(1);
    await session.ask('the other has more', 7, []);
    await session.ask('an old epoch', 3, []);
    await session.ask('an epoch that is to come', 12, []);
    await session.ask('goes on after that', 8, [asked(1, 99)]);
    await session.ask('unknown', 1, [], { sessionId: session.id === 1 ? 2 : 1 });
    await session.ask('the end', -1, [asked(0, 5)]);
    await session.ask('after the end', 9, []);
  }
}

export const fetchSessions: Script = { subject: 'Fetch with sessions', run };
