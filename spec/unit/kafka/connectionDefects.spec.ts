import { setTimeout as delay } from 'node:timers/promises';

import { ConnectorError } from '../../../lib/errors';
import { Events } from '../../../lib/events';
import { BrokerConnection, type BrokerConnectionOptions } from '../../../lib/kafka/BrokerConnection';
import { metadataRequest } from '../../../lib/kafka/metadata';
import type { KafkaRequest } from '../../../lib/kafka/wire';
import { silentLogger } from '../../../lib/logger';
import { waitFor } from '../../support/waitFor';
import { answerOf, array, int16, int32, int8, string } from './support/bytes';
import { FakeBroker, frame, modern, type ReceivedRequest } from './support/FakeBroker';
import { leavesNothing } from './support/leavesNothing';

/* Faults of kafka-node that no other spec shows; docs/dependencies.md has all of them. */

const options: BrokerConnectionOptions = { clientId: 'spec', timeoutMs: 1000, maxFrameBytes: 1000 };

const echo: KafkaRequest<string> = {
  ...{ apiKey: 1, apiVersion: 0, name: 'Echo v0' },
  write: (writer) => writer.string('x'),
  read: (reader) => reader.string(),
};

const answer = ({ socket, correlationId, body }: ReceivedRequest): void => {
  if (!socket.destroyed) socket.write(frame(correlationId, body));
};

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a request without an answer in time', () => {
  it('leaves nothing behind: its late answer reaches nobody, and the broker is asked again', async () => {
    await leavesNothing(async () => {
      const held: ReceivedRequest[] = [];
      await using broker = await FakeBroker.start(modern((request) => held.push(request)));
      for (let round = 1; round <= 20; round += 1) {
        const connection = await BrokerConnection.connect(broker.endpoint, options);
        const asked = connection.request(echo, { timeoutMs: 5 });
        await expect(asked).rejects.toThrow('no answer to Echo v0 within 5 ms');
        held.forEach(answer);
        expect(connection.closed).toBe(true);
        expect(broker.sockets).toHaveLength(round);
      }
      broker.handler = modern(answer);
      const connection = await BrokerConnection.connect(broker.endpoint, options);
      expect(await connection.request(echo)).toBe('x');
      connection.close();
    });
  });

  it('that comes behind the end of its connection is never sent', async () => {
    await leavesNothing(async () => {
      await using broker = await FakeBroker.start(modern(() => undefined));
      const connection = await BrokerConnection.connect(broker.endpoint, options);
      await expect(connection.request(echo, { timeoutMs: 5 })).rejects.toThrow(ConnectorError);
      await waitFor(() => broker.requests.length === 2, { timeoutMs: 1000, description: 'the request' });
      await expect(connection.request(echo)).rejects.toMatchObject({ code: 'BROKER_UNREACHABLE' });
      await delay(50);
      expect(broker.requests).toHaveLength(2);
    });
  });
});

describe('a request that may take minutes', () => {
  it('leaves no timer behind its answer, nor behind the end of its connection', async () => {
    const minutes = { timeoutMs: 300_000 };
    const starts = jest.spyOn(globalThis, 'setTimeout');
    const ends = jest.spyOn(globalThis, 'clearTimeout');
    await using broker = await FakeBroker.start(modern(answer));
    const connection = await BrokerConnection.connect(broker.endpoint, options);
    expect(await connection.request(echo, minutes)).toBe('x');
    broker.handler = modern();
    const asked = connection.request(echo, minutes);
    connection.close();
    await expect(asked).rejects.toThrow('connection closed');
    const started = starts.mock.results.filter(
      (_, index) => starts.mock.calls[index]?.[1] === minutes.timeoutMs,
    );
    expect(started).toHaveLength(2);
    const ended = ends.mock.calls.map(([timer]) => timer);
    expect(started.filter(({ value }) => !ended.includes(value as NodeJS.Timeout))).toEqual([]);
  });
});

describe('several connections to one broker', () => {
  it('may each wait for an answer at the same time', async () => {
    await leavesNothing(async () => {
      const held: ReceivedRequest[] = [];
      await using broker = await FakeBroker.start(modern((request) => held.push(request)));
      const open = (): Promise<BrokerConnection> => BrokerConnection.connect(broker.endpoint, options);
      const connections = await Promise.all([open(), open(), open()]);
      const asked = connections.map((connection) => connection.request(echo));
      await waitFor(() => held.length === 3, { timeoutMs: 1000, description: 'all requests' });
      held.reverse().forEach(answer);
      expect(await Promise.all(asked)).toEqual(['x', 'x', 'x']);
      for (const connection of connections) connection.close();
    });
  });
});

describe('an error that nobody listens for', () => {
  it('of a connection on which nothing is asked ends it, and throws nothing', async () => {
    await leavesNothing(async () => {
      await using broker = await FakeBroker.start(modern());
      const connection = await BrokerConnection.connect(broker.endpoint, options);
      broker.sockets[0]?.resetAndDestroy();
      await waitFor(() => connection.closed, { timeoutMs: 1000, description: 'the end of the connection' });
      await expect(connection.request(echo)).rejects.toThrow('ECONNRESET');
    });
  });

  it('in an event throws nothing', () => {
    const events = new Events(silentLogger);
    const error = new ConnectorError('BROKER_UNREACHABLE', 'away');
    expect(() => events.emit('fetch:failed', { broker: null, error, retryInMs: 1 })).not.toThrow();
    expect(() => events.emit('connector:closed', { error })).not.toThrow();
  });
});

describe('metadata', () => {
  it.each([-1, 99])('names a controller (%d) that is no broker, and is read', (controller) => {
    const brokers = array([[int32(1), string('one'), int32(9092), string(null)]]);
    const topics = array([[int16(0), string('t'), int8(0), array([])]]);
    expect(answerOf(metadataRequest(1, ['t']), [brokers, int32(controller), topics])).toEqual({
      brokers: [{ id: 1, host: 'one', port: 9092 }],
      topics: [{ name: 't', errorCode: 0, partitions: [] }],
    });
  });
});
