import { ConnectorError } from '../errors';

/** Ends the parsing of a property's text. The reason must not show the text of a secret. */
export function refuseText(property: string, reason: string): never {
  throw new ConnectorError('CONFIG_INVALID', `The text for ${property} cannot be used: ${reason}`, {
    faults: [reason],
  });
}

/** A check that only says what is wrong with a text, made of a parser that throws CONFIG_INVALID. */
export function faultOf(parse: (text: string) => unknown): (text: string) => string | undefined {
  return (text) => {
    try {
      parse(text);
      return undefined;
    } catch (error) {
      if (!ConnectorError.is(error)) throw error;
      return error.context.faults?.[0] ?? error.message;
    }
  };
}
