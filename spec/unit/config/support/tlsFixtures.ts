import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../../fixtures/config-tls');

/** The text of a file in spec/fixtures/config-tls. */
export function fixture(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

export function fixturePath(name: string): string {
  return join(FOLDER, name);
}

/** Files that a setting can name, in a folder of their own. */
export class StoreFiles {
  readonly folder = mkdtempSync(join(tmpdir(), 'config-tls-'));

  /** A file that has the texts one behind the other. */
  text(...texts: readonly string[]): string {
    return this.#write(Buffer.from(texts.join('')));
  }

  /** A binary fixture, which is there in Base64. */
  binary(name: string): string {
    return this.#write(Buffer.from(fixture(`${name}.base64`), 'base64'));
  }

  bytes(content: Buffer): string {
    return this.#write(content);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  #count = 0;

  #write(content: Buffer): string {
    const path = join(this.folder, `store-${++this.#count}`);
    writeFileSync(path, content);
    return path;
  }
}
