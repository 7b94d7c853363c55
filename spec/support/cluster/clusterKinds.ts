/** Where the servers of a cluster run: in the process of the specs, or in a JVM. */
export const CLUSTER_KINDS = ['embedded', 'real'] as const;
export type ClusterKind = (typeof CLUSTER_KINDS)[number];
