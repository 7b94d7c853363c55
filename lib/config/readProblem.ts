import { errorCode, errorText } from '../kafka/errorText';

const READ_PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'there is no such file'],
  ['EISDIR', 'it is a directory'],
  ['EACCES', 'there is no permission to'],
]);

/** Why a file cannot be read, in words that follow "cannot read …:". */
export function readProblem(error: unknown): string {
  return READ_PROBLEMS.get(errorCode(error)) ?? errorText(error);
}
