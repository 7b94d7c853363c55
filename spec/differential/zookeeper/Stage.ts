import { RawConnection } from '../RawConnection';
import { ScriptClient } from './ScriptClient';
import type { ScriptedServer } from './ScriptedServer';
import type { ConnectFields } from './requestFrames';
import { Tape } from './Tape';

/** Some requests about one subject, below a node of its own. It must ask the same whatever the answers are. */
export interface Script {
  readonly subject: string;
  play(stage: Stage): Promise<void>;
}

const WORD_LIMIT_MS = 5000;

/** A server, and the clients that play scripts on it. */
export class Stage {
  readonly tape = new Tape();
  readonly #server: ScriptedServer;
  #clients: ScriptClient[] = [];

  constructor(server: ScriptedServer) {
    this.#server = server;
  }

  /** Plays one script after the other; the clients of each end before the next one begins. */
  async play(scripts: readonly Script[]): Promise<Tape> {
    for (const script of scripts) {
      this.tape.begin(script.subject);
      try {
        await script.play(this);
        for (const client of this.#clients) await client.end();
      } catch (error) {
        throw new Error(`The script "${script.subject}" has failed`, { cause: error });
      } finally {
        for (const client of this.#clients) client.drop();
        this.#clients = [];
      }
    }
    this.tape.end();
    return this.tape;
  }

  /** A client with a session. */
  async client(name: string, fields: ConnectFields = {}): Promise<ScriptClient> {
    const client = this.stranger(name);
    await client.connect(fields);
    return client;
  }

  /** A client without a connection. */
  stranger(name: string): ScriptClient {
    const client = new ScriptClient(name, this.#server, this.tape);
    this.#clients.push(client);
    return client;
  }

  /** Sends a four-letter word, and tapes the first match in the answer. */
  async word(word: string, part: RegExp): Promise<void> {
    const connection = await RawConnection.open(this.#server);
    connection.send(Buffer.from(word));
    const answer = await connection.bytesToTheEnd(WORD_LIMIT_MS);
    connection.close();
    const text = typeof answer === 'string' ? '' : (part.exec(answer.toString())?.[0] ?? '');
    const taped = text === '' ? 'silent' : ({ shape: 'word', frame: Buffer.from(text) } as const);
    this.tape.add({ request: word, answers: [taped] });
  }
}
