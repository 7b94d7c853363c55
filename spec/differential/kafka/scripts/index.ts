import { apiVersions } from './apiVersions';
import { autoCreation } from './autoCreation';
import { coordinator } from './coordinator';
import { fetchLogs } from './fetchLogs';
import { fetchPlaces } from './fetchPlaces';
import { fetchSessions } from './fetchSessions';
import { groupErrors } from './groupErrors';
import { groups } from './groups';
import { leaders } from './leaders';
import { listOffsets } from './listOffsets';
import { malformed } from './malformed';
import { metadata } from './metadata';
import { nodesAfterStart } from './nodesAfterStart';
import { offsets } from './offsets';
import { produce } from './produce';
import { producers } from './producers';
import { topicNodes } from './topicNodes';

/** In this order: some see what those before have left behind. */
export const SCRIPTS = [
  nodesAfterStart,
  apiVersions,
  metadata,
  topicNodes,
  autoCreation,
  produce,
  fetchLogs,
  fetchPlaces,
  fetchSessions,
  listOffsets,
  producers,
  coordinator,
  offsets,
  groups,
  groupErrors,
  malformed,
  leaders,
];
