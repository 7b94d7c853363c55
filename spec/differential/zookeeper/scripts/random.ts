import { RandomRequests } from '../RandomRequests';
import { create, OPEN, ping, setAcl } from '../requests';
import type { ScriptClient } from '../ScriptClient';
import type { Script } from '../Stage';

const SEQUENCES = 100;
const STEPS = 40;
const MOST_AT_ONCE = 6;

/** Three clients with one small tree. What they ask depends on the seed, and on no answer. */
export function randomScript(seed: number, knowsNewer: boolean): Script {
  return {
    subject: `random with seed ${seed}`,
    async play(stage) {
      const random = new RandomRequests(seed, knowsNewer);
      const clients = [await stage.client('a'), await stage.client('b'), await stage.client('c')];
      for (let sequence = 0; sequence < SEQUENCES; sequence++) {
        // What was there before may have become read-only.
        await random.one(clients).ask(create('/random'), setAcl('/random', OPEN));
        for (let step = 0; step < STEPS; step++) await takeStep(random.one(clients), random);
        for (const client of clients) await client.ask(ping());
      }
    },
  };
}

async function takeStep(client: ScriptClient, random: RandomRequests): Promise<void> {
  if (random.chance(0.02)) {
    await client.end();
    await client.connect();
  } else if (random.chance(0.04)) {
    const { zxid } = client;
    client.drop();
    await client.connect();
    await client.ask(random.setWatches(zxid));
  } else if (random.chance(0.1)) {
    await client.askTogether(...random.nextTogether(MOST_AT_ONCE), ping());
  } else {
    await client.ask(random.next());
  }
}
