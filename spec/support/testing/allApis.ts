import type { Api } from '../../../lib/testing/kafka/protocol/Api';
import { apiVersions } from '../../../lib/testing/kafka/protocol/apiVersions';
import { describeGroups } from '../../../lib/testing/kafka/protocol/describeGroups';
import { fetch } from '../../../lib/testing/kafka/protocol/fetch';
import { findCoordinator } from '../../../lib/testing/kafka/protocol/findCoordinator';
import { heartbeat } from '../../../lib/testing/kafka/protocol/heartbeat';
import { initProducerId } from '../../../lib/testing/kafka/protocol/initProducerId';
import { joinGroup } from '../../../lib/testing/kafka/protocol/joinGroup';
import { leaveGroup } from '../../../lib/testing/kafka/protocol/leaveGroup';
import { listGroups } from '../../../lib/testing/kafka/protocol/listGroups';
import { listOffsets } from '../../../lib/testing/kafka/protocol/listOffsets';
import { metadata } from '../../../lib/testing/kafka/protocol/metadata';
import { offsetCommit } from '../../../lib/testing/kafka/protocol/offsetCommit';
import { offsetFetch } from '../../../lib/testing/kafka/protocol/offsetFetch';
import { produce } from '../../../lib/testing/kafka/protocol/produce';
import { syncGroup } from '../../../lib/testing/kafka/protocol/syncGroup';
import type { Type } from '../../../lib/testing/kafka/protocol/types';

/** An API whose two messages can both be read and written. */
export interface TwoWayApi extends Api<unknown, never> {
  readonly request: Type<unknown, never>;
  readonly answer: Type<unknown, never>;
}

/** All that an embedded broker answers. */
export const ALL_APIS: readonly TwoWayApi[] = [
  produce,
  fetch,
  listOffsets,
  metadata,
  offsetCommit,
  offsetFetch,
  findCoordinator,
  joinGroup,
  heartbeat,
  leaveGroup,
  syncGroup,
  describeGroups,
  listGroups,
  apiVersions,
  initProducerId,
];
