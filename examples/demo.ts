/**
 * Shows what a group of ZookeeperConsumerConnectors does, with a real cluster, and checks each claim. `npm run demo`
 * needs a JDK and Maven; nothing is left behind, also after Ctrl-C.
 */
import { DemoGroup } from './demo/DemoGroup';
import { tell } from './demo/steps';

async function main(): Promise<void> {
  const group = new DemoGroup();
  const interrupted = new Promise<'interrupted'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => resolve('interrupted'));
  });
  try {
    const end = await Promise.race([tell(group), interrupted]);
    if (end === 'interrupted') console.error('\nInterrupted: stopping everything.');
    process.exitCode = end === 'interrupted' ? 130 : 0;
  } catch (error) {
    console.error(`\nThe demo failed. ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  } finally {
    await group.stop();
  }
  // After an interruption steps of the demo may still wait for something that will not come.
  if (process.exitCode !== 0) process.exit();
}

void main();
