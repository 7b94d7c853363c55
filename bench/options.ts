import { parseArgs } from 'node:util';

import { CODECS, KAFKAS, SIZES, type CellChoice } from './cells';
import { CLIENT_NAMES, type ClientName } from './clientTable';

export interface BenchOptions extends CellChoice {
  readonly clients: readonly ClientName[];
  readonly rounds: number;
  /** Write results/ although it is only a part. */
  readonly isSaved: boolean;
  /** Measure what was built last. */
  readonly isBuilt: boolean;
  /** Not measure but profile that client. */
  readonly profile: ClientName | null;
}

export const HELP = `Measures this package beside its peers on real clusters and writes bench/results/. Needs a JDK and Maven.

  npm run bench -- [options]

  --kafka ${KAFKAS.join(',')}          only these releases
  --size ${SIZES.join(',')}                    only values of so many bytes
  --codec ${CODECS.join(',')}   only these codecs
  --clients NAMES                    only some of ${CLIENT_NAMES.join(', ')}
  --rounds N                         how often each client runs in each cell (default 5)
  --messages N                       how many messages the quick clients read (default: some seconds' worth)
  --quick                            one round of few messages in a few cells: does everything work?
  --save                             write bench/results/ although it is only a part of everything
  --no-build                         measure what was built last
  --profile NAME                     profile one run of that client instead, in one cell (default: the first one)
  --help                             prints this text

Only a run of everything writes bench/results/, unless --save is given. Clients that are slow read fewer messages.
`;

/** An argument that cannot be used; its message is for the user. */
export class UsageError extends Error {}

const DEFAULT_ROUNDS = 5;
const QUICK = { sizes: [100], codecs: ['none', 'snappy'], messages: 300_000, rounds: 1 } as const;

export function readOptions(args: string[]): BenchOptions | 'help' {
  const { values } = parse(args);
  if (values.help) return 'help';
  const isQuick = values.quick;
  const clients = chosen('--clients', values.clients, CLIENT_NAMES) ?? CLIENT_NAMES;
  const profile = chosen('--profile', values.profile, CLIENT_NAMES) ?? [];
  if (profile.length > 1) throw new UsageError('--profile takes one client');
  return {
    kafkas: chosen('--kafka', values.kafka, KAFKAS) ?? KAFKAS,
    sizes: chosen('--size', values.size, SIZES) ?? (isQuick ? QUICK.sizes : SIZES),
    codecs: chosen('--codec', values.codec, CODECS) ?? (isQuick ? QUICK.codecs : CODECS),
    messages: wholeNumber('--messages', values.messages) ?? (isQuick ? QUICK.messages : null),
    rounds: wholeNumber('--rounds', values.rounds) ?? (isQuick ? QUICK.rounds : DEFAULT_ROUNDS),
    clients,
    isSaved: values.save || isWhole(args),
    isBuilt: values['no-build'],
    profile: profile[0] ?? null,
  };
}

/** Nothing was left out: no option but one that does not choose. */
function isWhole(args: readonly string[]): boolean {
  return args.every((arg) => arg === '--no-build' || arg === '--save');
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        kafka: { type: 'string' },
        size: { type: 'string' },
        codec: { type: 'string' },
        clients: { type: 'string' },
        rounds: { type: 'string' },
        messages: { type: 'string' },
        quick: { type: 'boolean', default: false },
        save: { type: 'boolean', default: false },
        'no-build': { type: 'boolean', default: false },
        profile: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The members of a list with commas, in the order of `known`. */
function chosen<T extends string | number>(
  option: string,
  text: string | undefined,
  known: readonly T[],
): readonly T[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(',');
  const wrong = names.find((name) => !known.some((one) => String(one) === name));
  if (wrong !== undefined)
    throw new UsageError(`${option}: there is no "${wrong}"; there are ${known.join(', ')}`);
  return known.filter((one) => names.includes(String(one)));
}

function wholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError(`${option} must be a whole number from 1, not "${text}"`);
  return Number(text);
}
