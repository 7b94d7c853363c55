import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

const SAMPLE_MICROS = 200;

/** Profiles this process from now on; what is returned ends it and writes a .cpuprofile. */
export function startProfile(file: string): () => void {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROS });
  session.post('Profiler.start');
  return () =>
    session.post('Profiler.stop', (error, { profile }) => {
      if (error) throw error;
      writeFileSync(file, JSON.stringify(profile));
    });
}
