import { OP } from '../requests/opCodes';

/** How `cons` calls the last operation of a connection. */
const LABELS: ReadonlyMap<number, string> = new Map([
  [OP.create, 'CREA'],
  [OP.create2, 'CREA'],
  [OP.createContainer, 'CREA'],
  [OP.createTtl, 'CREA'],
  [OP.delete, 'DELE'],
  [OP.deleteContainer, 'DELE'],
  [OP.exists, 'EXIS'],
  [OP.getData, 'GETD'],
  [OP.setData, 'SETD'],
  [OP.getAcl, 'GETA'],
  [OP.setAcl, 'SETA'],
  [OP.getChildren, 'GETC'],
  [OP.getChildren2, 'GETC'],
  [OP.sync, 'SYNC'],
  [OP.ping, 'PING'],
  [OP.check, 'CHEC'],
  [OP.multi, 'MULT'],
  [OP.multiRead, 'MLTR'],
  [OP.reconfig, 'RECO'],
  [OP.checkWatches, 'CHKW'],
  [OP.removeWatches, 'REMW'],
  [OP.setWatches, 'SETW'],
  [OP.setWatches2, 'STW2'],
  [OP.addWatch, 'ADDW'],
  [OP.getEphemerals, 'GETE'],
  [OP.getAllChildrenNumber, 'GETACN'],
  [OP.whoAmI, 'HOMI'],
  [OP.createSession, 'SESS'],
  [OP.closeSession, 'CLOS'],
]);

export function operationLabel(op: number): string {
  return LABELS.get(op) ?? 'NA';
}
