import { ERROR_NAMES, errorName, UNKNOWN_SERVER_ERROR } from '../../kafka/errorNames';
import { shownValue } from '../../config/shownValue';
import { didYouMean } from '../../unknownNames';
import { ArgumentFaults } from '../argumentFaults';
import { PlannedFailures, type PlannedFailure } from '../PlannedFailures';
import { versionsOf } from './apiVersions';
import { errorCodeOf, NONE, type KafkaErrorName } from './errorCodes';
import type { Generation } from './Generation';
import { FAILED_ANSWERS, type FailedAnswer } from './requests/failedAnswers';
import type { RequestContext } from './requests/Route';

/** Requests that are to fail. What is left out does not matter. */
export interface RequestFailure {
  /** Which kind of request, as Kafka's protocol names it. */
  readonly api: keyof typeof FAILED_ANSWERS;
  /** Code, or name such as "NOT_LEADER_OR_FOLLOWER", in every place of the answer that has one. */
  readonly errorCode: number | Exclude<KafkaErrorName, 'NONE'>;
  /** Only requests to this broker. */
  readonly brokerId?: number;
  /** Only requests that name this topic. */
  readonly topic?: string;
  /** How many requests. Default 1. */
  readonly times?: number;
}

/** Whose requests are to fail. */
interface FailingCluster {
  readonly generation: Generation;
  readonly brokers: readonly { readonly id: number }[];
}

/** A failure with what it comes down to. */
interface ResolvedFailure {
  readonly brokerId: number | undefined;
  readonly topic: string | undefined;
  readonly errorCode: number;
  readonly failed: FailedAnswer<unknown, unknown>;
}

const FIELDS = ['api', 'errorCode', 'brokerId', 'topic', 'times'] as const;
const RIGHT = "an object such as { api: 'Fetch', errorCode: 'NOT_LEADER_OR_FOLLOWER' }";
const ERRORS: readonly string[] = [...ERROR_NAMES.slice(NONE + 1), errorName(UNKNOWN_SERVER_ERROR)];

/** Failures that are still to come, in the order in which they were asked for. */
export class RequestFailures {
  readonly #planned = new PlannedFailures<ResolvedFailure>();

  /** @throws TypeError for what is no failure, RangeError for a broker that there is not */
  add(failure: RequestFailure, { generation, brokers }: FailingCluster): PlannedFailure {
    refuseWrong(failure, generation);
    const { api, errorCode, brokerId, topic, times = 1 } = failure;
    const ids = brokers.map(({ id }) => id);
    if (brokerId !== undefined && !ids.includes(brokerId)) {
      throw new RangeError(`there is no broker ${brokerId}; there are: ${ids.join(', ') || 'none'}`);
    }
    const code = typeof errorCode === 'number' ? errorCode : errorCodeOf(errorCode);
    return this.#planned.add({ brokerId, topic, errorCode: code, failed: FAILED_ANSWERS[api] }, times);
  }

  clear(): void {
    this.#planned.clear();
  }

  /** The answer of a request that is to fail; null for all others. Counts as one of the planned times. */
  take(request: unknown, context: RequestContext): unknown {
    if (this.#planned.isEmpty) return null;
    const due = this.#planned.take((failure) => isMeant(failure, request, context));
    return due === null ? null : due.failed.answer(request, due.errorCode, context);
  }
}

function isMeant(
  { failed, brokerId, topic }: ResolvedFailure,
  request: unknown,
  context: RequestContext,
): boolean {
  if (failed.api.key !== context.header.apiKey) return false;
  if (brokerId !== undefined && brokerId !== context.brokerId) return false;
  return topic === undefined || failed.topics(request, context).includes(topic);
}

function refuseWrong(failure: unknown, generation: Generation): void {
  const faults = new ArgumentFaults('failNextRequest');
  const fields = faults.fields('failure', failure, FIELDS, RIGHT);
  if (fields !== null) {
    const { api, errorCode, brokerId, topic, times } = fields;
    faults.oneOf(`api with Kafka ${generation}`, api, apisOf(generation));
    checkErrorCode(faults, errorCode);
    if (brokerId !== undefined) faults.wholeNumber('brokerId', brokerId, 1);
    if (topic !== undefined) faults.text('topic', topic);
    if (times !== undefined) faults.wholeNumber('times', times, 1);
  }
  faults.refuse();
}

/** Those that a generation answers: others would never come to fail. */
function apisOf(generation: Generation): readonly string[] {
  const versions = versionsOf(generation);
  return Object.entries(FAILED_ANSWERS)
    .filter(([, { api }]) => versions.has(api.key))
    .map(([name]) => name);
}

function checkErrorCode(faults: ArgumentFaults, given: unknown): void {
  const isKnown =
    typeof given === 'number'
      ? given !== NONE && (given === UNKNOWN_SERVER_ERROR || ERROR_NAMES[given] !== undefined)
      : typeof given === 'string' && ERRORS.includes(given);
  if (isKnown) return;
  const hint = typeof given === 'string' ? didYouMean(given, ERRORS) : undefined;
  faults.add(
    'errorCode must be the name of one of Kafka\'s errors, such as "NOT_LEADER_OR_FOLLOWER", or its code, ' +
      `${UNKNOWN_SERVER_ERROR} or 1 to ${ERROR_NAMES.length - 1}, not ${shownValue(given)}` +
      (hint === undefined ? '' : `. ${hint}`),
  );
}
