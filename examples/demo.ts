/**
 * Shows a group of ZookeeperConsumerConnectors at work on an embedded cluster, live on a terminal and line by line where
 * the output is piped, and checks each claim. It needs nothing but Node, and nothing is left behind, also after Ctrl-C.
 */
import { DemoGroup } from './demo/DemoGroup';
import { Screen } from './demo/Screen';
import { tell } from './demo/steps';

async function main(): Promise<void> {
  const group = new DemoGroup();
  const screen = new Screen(process.stdout);
  const interrupted = new Promise<number>((resolve) => {
    process.on('SIGINT', () => resolve(130));
    process.on('SIGTERM', () => resolve(143));
    // Nobody reads the output any more, as behind "| head".
    process.stdout.on('error', () => resolve(1));
  });
  try {
    const end = await Promise.race([tell(group, screen), interrupted]);
    screen.still();
    if (end !== undefined) console.error('\nInterrupted: stopping everything.');
    process.exitCode = end ?? 0;
  } catch (error) {
    screen.still();
    console.error(`\nThe demo failed. ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  } finally {
    await group.stop();
  }
  // After an interruption steps of the demo may still wait for something that will not come.
  if (process.exitCode !== 0) process.exit();
}

void main();
