import {
  Blacklist,
  Whitelist,
  type KafkaStream,
  type StreamOptions,
  type ZookeeperConsumerConnector,
} from '../../lib';

/** Which topics a member reads by a filter: a Java regex, and how many streams (default 1) share all that it lets through. */
export type MemberFilter = { readonly streams?: number } & (
  | { readonly whitelist: string; readonly blacklist?: undefined }
  | { readonly blacklist: string; readonly whitelist?: undefined }
);

/** What a member reads: topics, or what a filter lets through. */
export interface MemberSubscription {
  /** Number of streams per topic. */
  readonly topics?: Readonly<Record<string, number>>;
  readonly filter?: MemberFilter;
}

/** Only that, of whatever else is said about a member. */
export function subscriptionOf({ topics = {}, filter }: MemberSubscription): MemberSubscription {
  return filter === undefined ? { topics } : { filter };
}

/** The connector's streams by topic, or by the regex of the filter. */
export async function subscribe<K = Buffer, V = Buffer>(
  connector: ZookeeperConsumerConnector,
  { topics = {}, filter }: MemberSubscription,
  options: StreamOptions<K, V> = {},
): Promise<ReadonlyMap<string, readonly KafkaStream<K, V>[]>> {
  if (filter === undefined) return connector.createMessageStreams(topics, options);
  const { whitelist, blacklist, streams = 1 } = filter;
  const topicFilter = whitelist === undefined ? new Blacklist(blacklist) : new Whitelist(whitelist);
  const ofFilter = await connector.createMessageStreamsByFilter(topicFilter, streams, options);
  return new Map([[whitelist ?? blacklist, ofFilter]]);
}
