import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { buildOnce } from '../../support/cluster/buildOnce';

describe('buildOnce', () => {
  let parent = '';

  beforeEach(() => {
    parent = mkdtempSync(path.join(tmpdir(), 'build-once-'));
  });

  afterEach(() => {
    rmSync(parent, { recursive: true });
  });

  it('builds once for all who ask, and no two builds of a parent folder overlap', async () => {
    let running = 0;
    const built: string[] = [];
    const build = (name: string) => async (): Promise<void> => {
      running++;
      expect(running).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      built.push(name);
      running--;
    };
    const asked = ['a', 'b', 'a', 'b'].map((name) => buildOnce(path.join(parent, name), build(name)));
    await expect(Promise.all(asked)).resolves.toEqual(
      ['a', 'b', 'a', 'b'].map((name) => path.join(parent, name)),
    );
    expect(built.sort()).toEqual(['a', 'b']);
    expect(readdirSync(parent).sort()).toEqual(['a', 'b']);
  });

  it('leaves nothing behind when the build fails, so that the next call tries again', async () => {
    const target = path.join(parent, 'jars');
    const failing = (folder: string): Promise<void> => {
      writeFileSync(path.join(folder, 'half.jar'), '');
      return Promise.reject(new Error('no network'));
    };
    await expect(buildOnce(target, failing)).rejects.toThrow('no network');
    expect(readdirSync(parent)).toEqual([]);
    await buildOnce(target, () => Promise.resolve());
    expect(existsSync(target)).toBe(true);
  });

  it('takes over the lock of a process that was killed, and removes its half-built folder', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    symlinkSync(String(pid), path.join(parent, '.lock'));
    mkdirSync(path.join(parent, 'jars.a1b2c3'));
    await buildOnce(path.join(parent, 'jars'), () => Promise.resolve());
    expect(readdirSync(parent)).toEqual(['jars']);
  });
});
