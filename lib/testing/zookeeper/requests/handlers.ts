import type { JuteReader } from '../jute/JuteReader';
import type { ZookeeperRelease } from '../ZookeeperRelease';
import { handleGetAcl } from './aclRequests';
import { readCheck } from './checkRequest';
import { createRequest, createWithStatRequest, readCreate, readCreateTtl } from './createRequest';
import { readDelete, readDeleteContainer } from './deleteRequest';
import { handleMultiRead } from './multiReadRequest';
import { handleMulti } from './multiRequest';
import { OP } from './opCodes';
import {
  handleCloseSession,
  handleGetAllChildrenNumber,
  handleGetEphemerals,
  handlePing,
  handleReconfig,
  handleSync,
  handleWhoAmI,
} from './otherRequests';
import { handleExists, handleGetChildren, handleGetChildren2, handleGetData } from './readRequests';
import type { Handler } from './RequestContext';
import { readSetAcl } from './setAclRequest';
import { readSetData } from './setDataRequest';
import {
  handleAddWatch,
  handleCheckWatches,
  handleRemoveWatches,
  handleSetWatches,
  handleSetWatches2,
} from './watchRequests';
import type { WriteRequest } from './WriteRequest';

const OLDER: readonly (readonly [op: number, handler: Handler])[] = [
  [OP.create, writing((request) => createRequest(readCreate(request)))],
  [OP.delete, writing(readDelete)],
  [OP.exists, handleExists],
  [OP.getData, handleGetData],
  [OP.setData, writing(readSetData)],
  [OP.getAcl, handleGetAcl],
  [OP.setAcl, writing(readSetAcl)],
  [OP.getChildren, handleGetChildren],
  [OP.sync, handleSync],
  [OP.ping, handlePing],
  [OP.getChildren2, handleGetChildren2],
  [OP.check, writing(readCheck)],
  [OP.multi, handleMulti],
  [OP.setWatches, handleSetWatches],
  [OP.closeSession, handleCloseSession],
];

const NEWER: readonly (readonly [op: number, handler: Handler])[] = [
  [OP.create2, writing((request) => createWithStatRequest(readCreate(request), 'plain'))],
  [OP.reconfig, handleReconfig],
  [OP.checkWatches, handleCheckWatches],
  [OP.removeWatches, handleRemoveWatches],
  [OP.createContainer, writing((request) => createWithStatRequest(readCreate(request), 'container'))],
  [OP.deleteContainer, writing(readDeleteContainer)],
  [OP.createTtl, writing(readCreateTtl)],
  [OP.multiRead, handleMultiRead],
  [OP.getEphemerals, handleGetEphemerals],
  [OP.getAllChildrenNumber, handleGetAllChildrenNumber],
  [OP.setWatches2, handleSetWatches2],
  [OP.addWatch, handleAddWatch],
  [OP.whoAmI, handleWhoAmI],
];

/** What each release can be asked; the connection of a client that asks for more is closed. */
export const HANDLERS: Readonly<Record<ZookeeperRelease, ReadonlyMap<number, Handler>>> = {
  '3.4': new Map(OLDER),
  '3.8': new Map([...OLDER, ...NEWER]),
};

/** Requests that are transactions. */
export const TRANSACTIONS: ReadonlySet<number> = new Set([
  ...[OP.create, OP.delete, OP.setData, OP.setAcl, OP.check, OP.multi, OP.create2, OP.reconfig],
  ...[OP.createContainer, OP.deleteContainer, OP.createTtl, OP.closeSession],
]);

/** A request for one change of one node. */
function writing(read: (request: JuteReader) => WriteRequest): Handler {
  return (request, context, answer) => {
    const write = context.readWrite(() => read(request));
    write.writeResult(context.write(write), answer);
    // The servers break on the answer to a check that stands alone, and send none.
    return write.type === 'check' ? 'silent' : 'answered';
  };
}
