import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ConnectorError } from '../errors';
import { excerpt } from '../excerpt';
import type { ConnectorConfig } from './ConnectorConfig';
import { parsePropertiesText, PropertiesTextFault } from './propertiesText';
import { readProblem } from './readProblem';
import { shownValue } from './shownValue';

const MAX_FILE_BYTES = 1 << 20;

/**
 * Reads the settings of a connector from a properties file of the JVM, as java.util.Properties does: the text is ISO-8859-1
 * with other characters written as `\uXXXX`. The values stay texts, and unknown names stay, too: the connector's
 * constructor checks them.
 *
 * Rejects with CONFIG_INVALID, naming the file and the line, if the file cannot be read or is no properties file: if it is
 * larger than 1 MiB, or has a zero byte, a `\u` without four hexadecimal digits, or nothing before the backslash by which a
 * property goes on in the next line.
 */
export async function loadConsumerProperties(file: string): Promise<ConnectorConfig> {
  // By JavaScript, anything may be given.
  const given: unknown = file;
  if (typeof given !== 'string' || given === '') {
    throw invalid('No properties file', `got ${shownValue(given)}; expected the path of a file`);
  }
  const content = await contentOf(file);
  try {
    // What the names and texts are worth is for the constructor to say.
    return Object.fromEntries(parsePropertiesText(content)) as unknown as ConnectorConfig;
  } catch (error) {
    if (error instanceof PropertiesTextFault) throw invalid(subjectOf(file), error.message, error);
    throw error;
  }
}

async function contentOf(file: string): Promise<string> {
  const subject = subjectOf(file);
  try {
    // Before it is opened: to open a pipe waits until somebody writes to it.
    const fault = faultOf(await stat(file));
    if (fault !== undefined) throw invalid(subject, fault);
    return await readFile(file, 'latin1');
  } catch (error) {
    if (ConnectorError.is(error)) throw error;
    throw invalid(subject, `cannot read it: ${readProblem(error)}`, error);
  }
}

function faultOf(stats: Stats): string | undefined {
  if (stats.isDirectory()) return 'it is a directory';
  if (!stats.isFile()) return 'it is a device, pipe or socket';
  return stats.size > MAX_FILE_BYTES
    ? `it is larger than ${MAX_FILE_BYTES} bytes, so it is no properties file`
    : undefined;
}

function subjectOf(file: string): string {
  return `The properties file ${excerpt(resolve(file))}`;
}

function invalid(subject: string, fault: string, cause?: unknown): ConnectorError {
  return new ConnectorError('CONFIG_INVALID', `${subject}: ${fault}`, { faults: [fault], cause });
}
