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
   * Name of this member, unique in its group. If none is given it is made of host name, time and a random
   * number.
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
   * Whether the topics that Kafka keeps for itself (`__consumer_offsets`, `__transaction_state`) are left
   * out of what a topic filter matches. All members must have the same.
   * Allowed: true or false. Default: true. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'exclude.internal.topics'?: boolean | 'true' | 'false';

  /**
   * ZooKeeper servers, separated by commas, with an optional chroot once at the end. The port is 2181 if
   * none is given.
   * Allowed: host1:port1,host2:port2/chroot. Default: none, it is required. Source: kafka.utils.ZKConfig.
   */
  readonly 'zookeeper.connect': string;

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
   * Credentials for the nodes of ZooKeeper whose ACL asks for some, with the scheme in front: digest is
   * the only one. The password may have colons.
   * Allowed: digest:user:password. Default: none. Source: this package.
   */
  readonly 'zookeeper.auth'?: string;

  /**
   * Whether the nodes that this member creates get the ACL "all for the creator, read for the world",
   * which is what brokers with this property write, so that nobody without the credentials of
   * `zookeeper.auth` can change them. All members of the group then need the same credentials.
   * Allowed: true or false. Default: false. Source: kafka.server.KafkaConfig.
   */
  readonly 'zookeeper.set.acl'?: boolean | 'true' | 'false';

  /**
   * Brokers to ask for all others when none is registered in ZooKeeper, because they have moved to KRaft.
   * Not used while /brokers/ids has any.
   * Allowed: host1:port1,host2:port2 (an IPv6 address in brackets). Default: none. Source:
   * org.apache.kafka.clients.CommonClientConfigs.
   */
  readonly 'bootstrap.servers'?: string;

  /**
   * How long to wait for the answer of a broker, or for more of it: a long one on a slow line is on its way as long as bytes come.
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
   * How much to fetch from all partitions together in one request, and how far the size for one partition
   * may grow when a message does not fit. Brokers from 0.10.1 on give one message or batch whatever its
   * size, so there it is too large only above 128 MiB and twice this value. The JVM reads this property
   * but does not use it.
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
   * Whether messages of transactions that are aborted, or not yet committed, are read, too (KIP-98). With
   * read_committed a partition is read up to the beginning of its first open transaction, and `largest`
   * means that place, as in the Java client: so what is committed later is not left out. Brokers before
   * 0.11 have no transactions; there it changes nothing.
   * Allowed: "read_uncommitted" or "read_committed". Default: read_uncommitted. Source:
   * org.apache.kafka.clients.consumer.ConsumerConfig.
   */
  readonly 'isolation.level'?: 'read_uncommitted' | 'read_committed';

  /**
   * How many chunks may wait in the queue of one stream; a chunk is what one fetch brought from one
   * partition.
   * Allowed: 1 to 2147483647. Default: 2. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'queued.max.message.chunks'?: number | string;

  /**
   * Pause before the next look-up of the leader of a partition.
   * Allowed: 1 to 2147483647 (ms). Default: 200. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'refresh.leader.backoff.ms'?: number | string;

  /**
   * A stream that gets no message for so long rejects with CONSUMER_TIMEOUT; -1 waits without end.
   * Allowed: -1 to 2147483647 (ms). Default: -1. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'consumer.timeout.ms'?: number | string;

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
   * Where offsets are stored: in ZooKeeper, or with the group coordinator of the brokers (from 0.8.2 on).
   * Allowed: "zookeeper" or "kafka". Default: zookeeper. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'offsets.storage'?: 'zookeeper' | 'kafka';

  /**
   * With `offsets.storage` kafka: whether each offset is also written to ZooKeeper, and the larger of the
   * two is where a partition starts. For a group on its way from one to the other. To go back to an
   * earlier offset, both have to be set.
   * Allowed: true or false. Default: true if `offsets.storage` is kafka, else false. Source:
   * kafka.consumer.ConsumerConfig.
   */
  readonly 'dual.commit.enabled'?: boolean | 'true' | 'false';

  /**
   * Pause before the next try to find the group coordinator, to store offsets there, or to read them.
   * Allowed: 1 to 2147483647 (ms). Default: 1000. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'offsets.channel.backoff.ms'?: number | string;

  /**
   * How long one commit to the group coordinator, or one reading of offsets there, may take in all: finding
   * it, connecting and further tries included. A rebalance and a shutdown go on after that.
   * Allowed: 1 to 2147483647 (ms). Default: 10000. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'offsets.channel.socket.timeout.ms'?: number | string;

  /**
   * How often a commit to Kafka that has failed is tried again: in a rebalance, at shutdown and by
   * `commitOffsets`. An automatic commit is not: the next interval is its next try. Reading offsets has
   * as many tries.
   * Allowed: 0 to 2147483647. Default: 5. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'offsets.commit.max.retries'?: number | string;

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
   * How partitions are shared among the threads of a group: topic by topic in runs (range), or those of
   * all topics in turn (roundrobin). All members must have the same.
   * Allowed: "range" or "roundrobin". Default: range. Source: kafka.consumer.ConsumerConfig.
   */
  readonly 'partition.assignment.strategy'?: 'range' | 'roundrobin';

  /**
   * The order in which roundrobin takes the partitions, which Kafka has changed: "0.8" is that of JVM
   * members from 0.8.2 to 0.11, "1.0" that of later ones. All members must have the same; JVM members of
   * both kinds in one group never agree.
   * Allowed: "0.8" or "1.0". Default: 0.8. Source: this package.
   */
  readonly 'roundrobin.text.order'?: '0.8' | '1.0';

  /**
   * How long a rebalance or a shutdown waits for the application to finish the messages it has, before
   * their partitions are released.
   * Allowed: 0 to 2147483647 (ms). Default: 2000. Source: this package.
   */
  readonly 'rebalance.drain.timeout.ms'?: number | string;

  /**
   * The listener of the brokers to use: with SSL the connection is encrypted by TLS, with SASL this
   * client logs in.
   * Allowed: "PLAINTEXT" or "SSL" or "SASL_PLAINTEXT" or "SASL_SSL". Default: PLAINTEXT. Source:
   * org.apache.kafka.clients.CommonClientConfigs.
   */
  readonly 'security.protocol'?: 'PLAINTEXT' | 'SSL' | 'SASL_PLAINTEXT' | 'SASL_SSL';

  /**
   * Format of the trust store. The JVM has JKS as default, which has to be converted: `keytool -list -rfc
   * -keystore truststore.jks > truststore.pem`.
   * Allowed: "PEM". Default: PEM. Source: org.apache.kafka.common.config.SslConfigs.
   */
  readonly 'ssl.truststore.type'?: 'PEM';

  /**
   * File with the certificates that are trusted, as in Java each for itself. It is read when the
   * connector is made. Without it, and without `ssl.truststore.certificates`, those that come with Node
   * are trusted.
   * Allowed: the path of a PEM file. Default: none. Source: org.apache.kafka.common.config.SslConfigs.
   */
  readonly 'ssl.truststore.location'?: string;

  /**
   * The certificates that are trusted, instead of a file.
   * Allowed: PEM text with certificates. Default: none. Source:
   * org.apache.kafka.common.config.SslConfigs.
   */
  readonly 'ssl.truststore.certificates'?: string;

  /**
   * Accepted without effect, with a warning: a trust store of the type PEM has no password.
   * Allowed: a text. Default: none. Source: org.apache.kafka.common.config.SslConfigs.
   */
  readonly 'ssl.truststore.password'?: string;

  /**
   * Format of the key store. The JVM has JKS as default, which has to be converted: `keytool
   * -importkeystore -srckeystore client.jks -destkeystore client.p12 -deststoretype PKCS12`. From a
   * PKCS12 file Node trusts the certificates of the issuers, too, whatever the trust store says; PEM has
   * no such effect.
   * Allowed: "PEM" or "PKCS12". Default: PEM. Source: org.apache.kafka.common.config.SslConfigs.
   */
  readonly 'ssl.keystore.type'?: 'PEM' | 'PKCS12';

  /**
   * File with the own private key and its certificate, the latter followed by those of its issuers, for
   * brokers that ask for it. It is read when the connector is made.
   * Allowed: the path of a PEM or PKCS12 file. Default: none. Source:
   * org.apache.kafka.common.config.SslConfigs.
   */
  readonly 'ssl.keystore.location'?: string;

  /**
   * Password of a key store of the type PKCS12, which needs one.
   * Allowed: a text. Default: none. Source: org.apache.kafka.common.config.SslConfigs.
   */
  readonly 'ssl.keystore.password'?: string;

  /**
   * The own private key, instead of a file. Needs `ssl.keystore.certificate.chain`.
   * Allowed: PEM text with a private key. Default: none. Source:
   * org.apache.kafka.common.config.SslConfigs.
   */
  readonly 'ssl.keystore.key'?: string;

  /**
   * The certificate of `ssl.keystore.key`, followed by those of its issuers.
   * Allowed: PEM text with the own certificate, then those of its issuers. Default: none. Source:
   * org.apache.kafka.common.config.SslConfigs.
   */
  readonly 'ssl.keystore.certificate.chain'?: string;

  /**
   * Password of the private key, if PEM has it encrypted.
   * Allowed: a text. Default: none. Source: org.apache.kafka.common.config.SslConfigs.
   */
  readonly 'ssl.key.password'?: string;

  /**
   * Versions of TLS that may be used.
   * Allowed: names of TLS versions with commas between them and none left out, up to TLSv1.2 or TLSv1.3.
   * Default: TLSv1.2,TLSv1.3. Source: org.apache.kafka.common.config.SslConfigs.
   */
  readonly 'ssl.enabled.protocols'?: string;

  /**
   * Cipher suites that may be used, the best one first. Without it those of Node.
   * Allowed: names of cipher suites with commas between them, those of Java or of OpenSSL. Default: none.
   * Source: org.apache.kafka.common.config.SslConfigs.
   */
  readonly 'ssl.cipher.suites'?: string;

  /**
   * Whether the certificate of a broker must be for the host that was connected to; the empty text turns
   * this check off.
   * Allowed: "https" or "". Default: https. Source: org.apache.kafka.common.config.SslConfigs.
   */
  readonly 'ssl.endpoint.identification.algorithm'?: 'https' | '';

  /**
   * Kind of login, required if `security.protocol` has SASL. The default of the JVM, GSSAPI, is not
   * supported.
   * Allowed: "PLAIN" or "SCRAM-SHA-256" or "SCRAM-SHA-512". Default: none. Source:
   * org.apache.kafka.common.config.SaslConfigs.
   */
  readonly 'sasl.mechanism'?: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';

  /**
   * User and password of the login, in the syntax that the JVM has for it; required if
   * `security.protocol` has SASL. PlainLoginModule belongs to PLAIN, ScramLoginModule to the others.
   * Allowed: org.apache.kafka.common.security.plain.PlainLoginModule (or ….scram.ScramLoginModule)
   * required username="…" password="…";. Default: none. Source:
   * org.apache.kafka.common.config.SaslConfigs.
   */
  readonly 'sasl.jaas.config'?: string;
}
