import { apiOf, fetchedParts } from './fetchedParts';
import { EXTREMES, frameMutations } from './frameMutations';
import { changed, goOn, ints, framed, type Mutation } from './mutation';
import { recordMutations } from './recordMutations';

const API_VERSIONS = 18;
const FETCH = 1;
/** With message formats 0, 1 and 2. */
const OLDER_VERSIONS = [0, 2, 3, 4, 8];
const APIS_AT = 14;
const API_BYTES = 6;
const ABORTED_BYTES = 16;
const ID_AT = 4;
const BODY_AT = 8;
const CODES = Array.from({ length: 110 }, (_, n) => n - 1).filter((code) => code !== 0);

/** What can happen to the answers of a broker. */
export const brokerMutations: readonly Mutation[] = [
  ...frameMutations,
  ...recordMutations,
  {
    kind: 'another correlation id',
    apply({ frame }, chance) {
      const id = frame.readInt32BE(ID_AT);
      const other = chance.of([id + 1, id - 1, -1, 0x7fff_ffff, -0x8000_0000]);
      return goOn(changed(frame, (copy) => copy.writeInt32BE(other | 0, ID_AT)));
    },
  },
  {
    kind: 'another error code of a partition',
    weight: 2,
    apply({ frame, request }, chance) {
      const parts = fetchedParts(frame, request);
      if (parts.length === 0) return null;
      const { errorAt } = chance.of(parts);
      return goOn(changed(frame, (copy) => copy.writeInt16BE(chance.of(CODES), errorAt)));
    },
  },
];

/** What can happen beside that to the answers of a broker from 0.11 on. */
export const newerBrokerMutations: readonly Mutation[] = [
  {
    kind: 'other versions',
    isPlausible: true,
    apply({ frame, request }, chance) {
      if (apiOf(request) !== API_VERSIONS) return null;
      const apis = Array.from({ length: chance.below(30) }, (_, n) =>
        Buffer.concat([ints(n << 16), chance.bytes(4)]).subarray(0, 6),
      );
      const error = Buffer.from([0, chance.isTrue(0.8) ? 0 : 35]);
      return goOn(framed(frame.subarray(ID_AT, BODY_AT), error, ints(apis.length), ...apis));
    },
  },
  {
    kind: 'older versions of Fetch',
    isPlausible: true,
    weight: 2,
    apply({ frame, request }, chance) {
      if (apiOf(request) !== API_VERSIONS) return null;
      // Error and count, then entries of key, least and greatest version.
      for (let at = APIS_AT; at + API_BYTES <= frame.length; at += API_BYTES) {
        if (frame.readInt16BE(at) !== FETCH) continue;
        return goOn(changed(frame, (copy) => copy.writeInt16BE(chance.of(OLDER_VERSIONS), at + 4)));
      }
      return null;
    },
  },
  {
    kind: 'other aborted transactions',
    isPlausible: true,
    apply({ frame, request }, chance) {
      const ats = fetchedParts(frame, request).flatMap(({ abortedAt }) => abortedAt ?? []);
      if (ats.length === 0) return null;
      const at = chance.of(ats);
      const count = frame.readInt32BE(at);
      const transactions = Array.from({ length: chance.below(5) }, () =>
        ints(...Array.from({ length: 4 }, () => (chance.isTrue(0.6) ? 0 : chance.of(EXTREMES)))),
      );
      const behind = frame.subarray(at + 4 + ABORTED_BYTES * Math.max(0, count));
      return goOn(framed(frame.subarray(ID_AT, at), ints(transactions.length), ...transactions, behind));
    },
  },
];
