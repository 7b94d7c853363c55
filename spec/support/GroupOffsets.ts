import { BrokerConnection, type BrokerAddress } from './produce/BrokerConnection';
import { ByteWriter } from './produce/bytes';
import type { Request } from './produce/requests';
import { waitFor } from './waitFor';

const ANSWER_MS = 10_000;
const LIMIT_MS = 30_000;

interface Coordinator extends BrokerAddress {
  readonly id: number;
}

/**
 * What a group has stored with its coordinator, read and written with bytes of its own, so that it does not depend on the code
 * under test. Each call looks the coordinator up, and goes on until it answers.
 */
export class GroupOffsets {
  readonly #brokers: readonly BrokerAddress[];
  readonly #group: string;

  /** @param brokers - those that run, or some of them */
  constructor(brokers: readonly BrokerAddress[], group: string) {
    this.#brokers = brokers;
    this.#group = group;
  }

  /** The broker that is the group's coordinator. */
  coordinator(): Promise<Coordinator> {
    return waitFor(() => this.#findCoordinator(), {
      ...{ timeoutMs: LIMIT_MS, description: `the coordinator of ${this.#group}` },
    });
  }

  /** -1 if there is none. */
  stored(topic: string, partition: number): Promise<number> {
    return this.#untilRight(fetchRequest(this.#group, topic, partition));
  }

  async store(topic: string, partition: number, nextOffset: number): Promise<void> {
    await this.#untilRight(commitRequest(this.#group, topic, partition, nextOffset));
  }

  async #findCoordinator(): Promise<Coordinator | null> {
    for (const broker of this.#brokers) {
      const found = await asked(broker, findRequest(this.#group)).catch(() => null);
      if (found !== null) return found;
    }
    return null;
  }

  async #untilRight(request: Request<number | null>): Promise<number> {
    const result = await waitFor(
      async () => {
        const value = await asked(await this.coordinator(), request);
        return value === null ? null : { value };
      },
      { timeoutMs: LIMIT_MS, description: `the answer of the coordinator of ${this.#group}` },
    );
    return result.value;
  }
}

async function asked<T>(broker: BrokerAddress, request: Request<T>): Promise<T> {
  const connection = new BrokerConnection(broker, { timeoutMs: ANSWER_MS });
  try {
    return await connection.ask(request);
  } finally {
    connection.close();
  }
}

/** Null is what an answer with an error comes to. */
function findRequest(group: string): Request<Coordinator | null> {
  return {
    ...{ apiKey: 10, apiVersion: 0, body: new ByteWriter().string(group).toBuffer() },
    read: (answer) => {
      const errorCode = answer.int16();
      const coordinator = { id: answer.int32(), host: answer.string(), port: answer.int32() };
      return errorCode === 0 ? coordinator : null;
    },
  };
}

function fetchRequest(group: string, topic: string, partition: number): Request<number | null> {
  const body = new ByteWriter().string(group).int32(1).string(topic).int32(1).int32(partition);
  return {
    ...{ apiKey: 9, apiVersion: 1, body: body.toBuffer() },
    read: (answer) => {
      if (answer.int32() !== 1) return null; // 3.9 leaves them out when it is not the coordinator
      answer.string();
      answer.int32(); // one partition
      answer.int32();
      const offset = answer.int64();
      answer.string(); // metadata
      return answer.int16() === 0 ? offset : null;
    },
  };
}

function commitRequest(
  group: string,
  topic: string,
  partition: number,
  offset: number,
): Request<number | null> {
  const body = new ByteWriter().string(group).int32(-1).string('');
  body.int32(1).string(topic).int32(1).int32(partition).int64(offset).int64(-1).string('');
  return {
    ...{ apiKey: 8, apiVersion: 1, body: body.toBuffer() },
    read: (answer) => {
      answer.int32(); // one topic
      answer.string();
      answer.int32(); // one partition
      answer.int32();
      return answer.int16() === 0 ? offset : null;
    },
  };
}
