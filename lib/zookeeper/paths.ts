/** Where the connector's data is, relative to the chroot. */
export const BROKER_IDS_PATH = '/brokers/ids';
export const BROKER_TOPICS_PATH = '/brokers/topics';
/** Parent of all groups. */
export const CONSUMERS_PATH = '/consumers';

export function brokerPath(id: number): string {
  return `${BROKER_IDS_PATH}/${id}`;
}

export function topicPath(topic: string): string {
  return `${BROKER_TOPICS_PATH}/${topic}`;
}

/** There while the brokers delete the topic, from before the first replica goes until after the last. */
export function deletedTopicPath(topic: string): string {
  return `/admin/delete_topics/${topic}`;
}

/** The nodes of one consumer group. The group's name must have passed the configuration's check. */
export class GroupPaths {
  readonly root: string;
  /** Parent of the ephemeral registrations. */
  readonly ids: string;
  /** Parent of the ephemeral claims, one folder per topic. */
  readonly owners: string;
  /** Parent of the stored offsets, one folder per topic. */
  readonly offsets: string;

  constructor(group: string) {
    this.root = `${CONSUMERS_PATH}/${group}`;
    this.ids = `${this.root}/ids`;
    this.owners = `${this.root}/owners`;
    this.offsets = `${this.root}/offsets`;
  }

  id(consumerId: string): string {
    return `${this.ids}/${consumerId}`;
  }

  ownersOf(topic: string): string {
    return `${this.owners}/${topic}`;
  }

  owner(topic: string, partition: number): string {
    return `${this.ownersOf(topic)}/${partition}`;
  }

  offsetsOf(topic: string): string {
    return `${this.offsets}/${topic}`;
  }

  offset(topic: string, partition: number): string {
    return `${this.offsetsOf(topic)}/${partition}`;
  }
}

/** Kafka's rule. Brokers refuse names above 249 characters since 0.10; 0.8 allowed 255, and such topics live on. */
export function isLegalTopicName(name: string): boolean {
  return /^[a-zA-Z0-9._-]{1,255}$/.test(name) && name !== '.' && name !== '..';
}

/** The first character that ZooKeeper refuses in a path: control, private use, or outside the basic plane. */
export function illegalPathCharacter(path: string): string | undefined {
  return /[\p{Cc}\ud800-\uf8ff\ufff0-\u{10ffff}]/u.exec(path)?.[0];
}
