import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readlink, rename, rm, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';

import { waitFor } from '../waitFor';
import { isRunning } from './isRunning';

/** Longest build: Maven with an empty repository on a slow line. */
const BUILD_LIMIT_MS = 600_000;

/**
 * Makes the folder `target` once and for all processes. It appears by a rename, so it is complete as soon as it is
 * there. Builds that share a parent folder run one after the other: Maven's local repository is not safe against
 * two of them.
 */
export async function buildOnce(target: string, build: (folder: string) => Promise<void>): Promise<string> {
  if (existsSync(target)) return target;
  const parent = path.dirname(target);
  await mkdir(parent, { recursive: true });
  const lock = path.join(parent, '.lock');
  await takeLock(lock);
  try {
    if (!existsSync(target)) await buildAndRename(target, build);
  } finally {
    await unlink(lock);
  }
  return target;
}

async function buildAndRename(target: string, build: (folder: string) => Promise<void>): Promise<void> {
  await removeLeftovers(target);
  const folder = await mkdtemp(`${target}.`);
  try {
    await build(folder);
    await rename(folder, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Half-built folders of processes that were killed; the lock says that none of them is still in use. */
async function removeLeftovers(target: string): Promise<void> {
  const parent = path.dirname(target);
  for (const name of await readdir(parent)) {
    if (name.startsWith(`${path.basename(target)}.`)) {
      await rm(path.join(parent, name), { recursive: true, force: true });
    }
  }
}

/**
 * The lock is a symbolic link to the holder's process id: made and labelled in one step. The lock of a dead process
 * is removed; should two waiters do that at the same moment, both build, which costs time but harms nobody.
 */
async function takeLock(lock: string): Promise<void> {
  await waitFor(() => tryLock(lock), {
    timeoutMs: BUILD_LIMIT_MS,
    intervalMs: 50,
    description: `the lock ${lock}, held by another build`,
  });
}

async function tryLock(lock: string): Promise<boolean> {
  try {
    await symlink(String(process.pid), lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = Number(await readlink(lock).catch(() => ''));
    if (holder > 0 && !isRunning(holder)) await unlink(lock).catch(() => undefined);
    return false;
  }
}
