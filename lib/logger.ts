import { ConnectorError } from './errors';

/** What the connector writes its log to. Any logger with these four methods fits, for example `console`. */
export interface Logger {
  debug(message: string, fields?: object): void;
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}

const ignore = (): void => undefined;

/** The default: says nothing. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/**
 * The application's logger, for loops that must not end because a line could not be written.
 *
 * @throws ConnectorError CONFIG_INVALID if it lacks a method
 */
export function guarded(logger: Logger): Logger {
  const missing = LEVELS.filter((level) => typeof (logger as Partial<Logger> | null)?.[level] !== 'function');
  if (missing.length > 0) {
    const fault = `logger must have the methods ${LEVELS.join(', ')}; it lacks ${missing.join(', ')}`;
    throw new ConnectorError('CONFIG_INVALID', fault, { faults: [fault] });
  }
  const guard =
    (level: keyof Logger) =>
    (message: string, fields?: object): void => {
      try {
        // Without an argument that a console would print as "undefined".
        if (fields === undefined) logger[level](message);
        else logger[level](message, fields);
      } catch {
        // There is nowhere left to say it.
      }
    };
  return { debug: guard('debug'), info: guard('info'), warn: guard('warn'), error: guard('error') };
}
