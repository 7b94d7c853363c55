import { isInPath, whatJavaLacks } from '../support/cluster/javaTools';

/** What a spec file needs: Node alone; a JDK with Maven, for servers and clients of the JVM; or kcat. */
export type Requirement = 'node' | 'java' | 'kcat';

/** What is missing here for it, with what to install; null if nothing is. */
export function whatLacks(requirement: Requirement, env: NodeJS.ProcessEnv = process.env): string | null {
  switch (requirement) {
    case 'node':
      return null;
    case 'java':
      return whatJavaLacks(env);
    case 'kcat':
      return isInPath('kcat', env) ? null : '"kcat" is not in PATH. Install it, e.g. "apt-get install kcat".';
  }
}
