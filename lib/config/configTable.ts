import { FETCH_SETTINGS } from './settings/fetchSettings';
import { GROUP_SETTINGS } from './settings/groupSettings';
import { OFFSET_SETTINGS } from './settings/offsetSettings';
import { REBALANCE_SETTINGS } from './settings/rebalanceSettings';
import { SASL_SETTINGS } from './settings/saslSettings';
import { TLS_SETTINGS } from './settings/tlsSettings';
import { ZOOKEEPER_SETTINGS } from './settings/zookeeperSettings';
import type { Settings, ValueOf } from './settingTypes';

/** The settings by subject, in the order of the documentation. */
export const CONFIG_SUBJECTS: readonly { readonly title: string; readonly settings: Settings }[] = [
  { title: 'Group', settings: GROUP_SETTINGS },
  { title: 'ZooKeeper', settings: ZOOKEEPER_SETTINGS },
  { title: 'Fetching', settings: FETCH_SETTINGS },
  { title: 'Offsets', settings: OFFSET_SETTINGS },
  { title: 'Rebalance', settings: REBALANCE_SETTINGS },
  { title: 'Security of broker connections', settings: { ...TLS_SETTINGS, ...SASL_SETTINGS } },
];

/**
 * Every property that means something in this version, in the same order.
 * A property that another takes its default from stands before it.
 */
export const CONFIG_TABLE = {
  ...GROUP_SETTINGS,
  ...ZOOKEEPER_SETTINGS,
  ...FETCH_SETTINGS,
  ...OFFSET_SETTINGS,
  ...REBALANCE_SETTINGS,
  ...TLS_SETTINGS,
  ...SASL_SETTINGS,
};

type Table = typeof CONFIG_TABLE;

/** The name of a property that means something in this version. */
export type ConfigKey = keyof Table;

/** All properties with their checked values or defaults. */
export type ResolvedConfig = { readonly [K in ConfigKey]: ValueOf<Table[K]> };
