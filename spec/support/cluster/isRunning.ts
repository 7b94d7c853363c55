import { readFileSync } from 'node:fs';

/** False also for a process that has ended but that its parent has not asked about yet (a zombie). */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  try {
    // "pid (name) state ...", and the name may contain anything.
    return !/\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // No such file system here.
    return true;
  }
}
