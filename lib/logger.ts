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

/** The application's logger, for loops that must not end because a line could not be written. */
export function guarded(logger: Logger): Logger {
  const guard =
    (level: keyof Logger) =>
    (message: string, fields?: object): void => {
      try {
        logger[level](message, fields);
      } catch {
        // There is nowhere left to say it.
      }
    };
  return { debug: guard('debug'), info: guard('info'), warn: guard('warn'), error: guard('error') };
}
