import { errorCodeOf, type KafkaErrorName } from './errorCodes';
import { FAILED_ANSWERS, type FailedAnswer } from './requests/failedAnswers';
import type { RequestContext } from './requests/Route';

/** Requests that are to fail. What is left out does not matter. */
export interface RequestFailure {
  /** Which kind of request, as Kafka's protocol names it. */
  readonly api: keyof typeof FAILED_ANSWERS;
  /** Code, or name such as "NOT_LEADER_OR_FOLLOWER", in every place of the answer that has one. */
  readonly errorCode: number | KafkaErrorName;
  /** Only requests to this broker. */
  readonly brokerId?: number;
  /** Only requests that name this topic. */
  readonly topic?: string;
  /** How many requests. Default 1. */
  readonly times?: number;
}

interface PlannedFailure {
  readonly failure: RequestFailure;
  readonly errorCode: number;
  readonly failed: FailedAnswer<unknown, unknown>;
  timesLeft: number;
}

/** Failures that are still to come, in the order in which they were asked for. */
export class RequestFailures {
  #planned: PlannedFailure[] = [];

  /** @throws RangeError for a request or an error that there is not */
  add(failure: RequestFailure): void {
    if (!Object.hasOwn(FAILED_ANSWERS, failure.api)) {
      const known = Object.keys(FAILED_ANSWERS).join(', ');
      throw new RangeError(`there is no request ${JSON.stringify(failure.api)}; there are ${known}`);
    }
    const failed: FailedAnswer<unknown, unknown> = FAILED_ANSWERS[failure.api];
    const { errorCode: code } = failure;
    const errorCode = typeof code === 'number' ? code : errorCodeOf(code);
    this.#planned.push({ failure, errorCode, failed, timesLeft: failure.times ?? 1 });
  }

  clear(): void {
    this.#planned = [];
  }

  /** The answer of a request that is to fail; null for all others. Counts as one of the planned times. */
  take(request: unknown, context: RequestContext): unknown {
    if (this.#planned.length === 0) return null;
    const due = this.#planned.find((one) => isMeant(one, request, context));
    if (due === undefined) return null;
    due.timesLeft -= 1;
    if (due.timesLeft <= 0) this.#planned = this.#planned.filter((one) => one !== due);
    return due.failed.answer(request, due.errorCode, context);
  }
}

function isMeant({ failure, failed }: PlannedFailure, request: unknown, context: RequestContext): boolean {
  if (failed.api.key !== context.header.apiKey) return false;
  if (failure.brokerId !== undefined && failure.brokerId !== context.brokerId) return false;
  return failure.topic === undefined || failed.topics(request, context).includes(failure.topic);
}
