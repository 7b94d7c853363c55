import type { KafkaErrorName } from '../errorCodes';

/** Thrown inside a log for what it does not append, or cannot convert; the log answers with the error's code. */
export class AppendRefusal extends Error {
  override readonly name = 'AppendRefusal';
  readonly errorName: KafkaErrorName;

  constructor(errorName: KafkaErrorName, why: string) {
    super(why);
    this.errorName = errorName;
  }
}

/** The same for what is refused before a broker looks at the partition, whose start it does not tell then. */
export class RequestRefusal extends AppendRefusal {}
