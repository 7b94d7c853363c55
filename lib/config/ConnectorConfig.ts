/**
 * Settings of a connector. The keys are the names of the JVM's properties, and each value may also be the text that a
 * properties file has for it, such as "30000" or "true".
 */
export interface ConnectorConfig {
  /**
   * Name of the consumer group. Members of one group share the partitions of their topics.
   * Allowed: one or more of the characters a-z A-Z 0-9 . _ - (but not "." or ".."). Default: none, it is
   * required. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'group.id': string;

  /**
   * ZooKeeper servers, separated by commas, with an optional chroot once at the end. The port is 2181 if
   * none is given.
   * Allowed: host1:port1,host2:port2/chroot. Default: none, it is required. Source:
   * kafka.utils.ZKConfig.
   */
  readonly 'zookeeper.connect': string;

  /**
   * Name of this member, unique in its group. If none is given it is made of host name, time and a
   * random number.
   * Allowed: a text that can be part of the name of a ZooKeeper node. Default: generated. Source:
   * kafka.consumer.ConsumerConfig.
   */
  readonly 'consumer.id'?: string;

  /**
   * Name that brokers show for the requests of this client, in logs, metrics and quotas.
   * Allowed: characters a-z A-Z 0-9 . _ -. Default: the value of `group.id`. Source:
   * kafka.consumer.ConsumerConfig.
   */
  readonly 'client.id'?: string;

  /**
   * A member that ZooKeeper does not hear from for so long is dead. The server may shorten or lengthen
   * it.
   * Allowed: 1 to 2147483647 (ms). Default: 6000. Source: kafka.utils.ZKConfig.
   */
  readonly 'zookeeper.session.timeout.ms'?: number | string;

  /**
   * How long to wait for the first connection to ZooKeeper.
   * Allowed: 1 to 2147483647 (ms). Default: the value of `zookeeper.session.timeout.ms`. Source:
   * kafka.utils.ZKConfig.
   */
  readonly 'zookeeper.connection.timeout.ms'?: number | string;

  /**
   * How far a ZooKeeper follower may be behind its leader. Its only use is the default of
   * `rebalance.backoff.ms`.
   * Allowed: 0 to 2147483647 (ms). Default: 2000. Source: kafka.utils.ZKConfig.
   */
  readonly 'zookeeper.sync.time.ms'?: number | string;

  /**
   * How long to wait for the answer of a broker.
   * Allowed: 1 to 2147483647, not below `fetch.wait.max.ms` (ms). Default: 30000. Source:
   * kafka.consumer.ConsumerConfig.
   */
  readonly 'socket.timeout.ms'?: number | string;

  /**
   * Accepted without effect: Node has no way to set the receive buffer of a socket, the operating system
   * chooses it.
   * Allowed: -1 to 2147483647 (bytes). Default: 65536. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'socket.receive.buffer.bytes'?: number | string;

  /**
   * How much to fetch from one partition in one request.
   * Allowed: 1 to 2147483647 (bytes). Default: 1048576. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'fetch.message.max.bytes'?: number | string;

  /**
   * How much to fetch from all partitions together in one request, and how far the size for one
   * partition may grow when a message does not fit. The JVM reads this property but does not use it.
   * Allowed: 1 to 2147483647, not below `fetch.message.max.bytes` (bytes). Default: the value of
   * `fetch.message.max.bytes`, but at least 52428800. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'fetch.max.bytes'?: number | string;

  /**
   * How many fetchers, each with its connection, share the partitions of one broker.
   * Allowed: 1 to 2147483647. Default: 1. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'num.consumer.fetchers'?: number | string;

  /**
   * The broker answers a fetch when it has so much, or after `fetch.wait.max.ms`. With 0 it answers at
   * once, even with nothing, which keeps broker and client busy.
   * Allowed: 0 to 2147483647 (bytes). Default: 1. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'fetch.min.bytes'?: number | string;

  /**
   * How long a broker may wait for `fetch.min.bytes`.
   * Allowed: 0 to 2147483647 (ms). Default: 100. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'fetch.wait.max.ms'?: number | string;

  /**
   * How many chunks may wait in the queue of one stream; a chunk is what one fetch brought from one
   * partition.
   * Allowed: 1 to 2147483647. Default: 2. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'queued.max.message.chunks'?: number | string;

  /**
   * Whether offsets of processed messages are stored without being asked for: at an interval, in
   * rebalances and at shutdown.
   * Allowed: true or false. Default: true. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'auto.commit.enable'?: boolean | 'true' | 'false';

  /**
   * Time between two automatic commits.
   * Allowed: 1 to 2147483647 (ms). Default: 60000. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'auto.commit.interval.ms'?: number | string;

  /**
   * Where to start in a partition that has no stored offset, or one that the broker does not have (any
   * more).
   * Allowed: "smallest" or "largest". Default: largest. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'auto.offset.reset'?: 'smallest' | 'largest';

  /**
   * A stream that gets no message for so long rejects with CONSUMER_TIMEOUT; -1 waits without end.
   * Allowed: -1 to 2147483647 (ms). Default: -1. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'consumer.timeout.ms'?: number | string;

  /**
   * How many attempts a rebalance has before it counts as failed. It goes on behind that, with growing
   * pauses.
   * Allowed: 1 to 2147483647. Default: 4. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'rebalance.max.retries'?: number | string;

  /**
   * Pause before the next attempt of a failed rebalance, at most.
   * Allowed: 1 to 2147483647 (ms). Default: the value of `zookeeper.sync.time.ms`, but at least 1.
   * Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'rebalance.backoff.ms'?: number | string;

  /**
   * Pause before the next look-up of the leader of a partition.
   * Allowed: 1 to 2147483647 (ms). Default: 200. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'refresh.leader.backoff.ms'?: number | string;

  /**
   * How partitions are shared among the threads of a group. All members must have the same.
   * Allowed: "range". Default: range. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'partition.assignment.strategy'?: 'range';

  /**
   * Where offsets are stored.
   * Allowed: "zookeeper". Default: zookeeper. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'offsets.storage'?: 'zookeeper';

  /**
   * How long a rebalance or a shutdown waits for the application to finish the messages it has, before
   * their partitions are released.
   * Allowed: 0 to 2147483647 (ms). Default: 2000. Source: this package.
   */
  readonly 'rebalance.drain.timeout.ms'?: number | string;
}
