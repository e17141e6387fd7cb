import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { uuid6 } from '@langchain/langgraph-checkpoint';
import { expect, it } from 'vitest';
import { TurnkeeperSaver } from './saver.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const heapInUse = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

it('writes a thread of 1,000 steps in constant memory', { timeout: 60_000 }, async () => {
  const stored = (): Promise<Response> => Promise.resolve(Response.json({ checkpointId: '1' }));
  const saver = new TurnkeeperSaver({ baseUrl: 'http://server', apiKey: 'key', memoryId: 'm', fetch: stored });
  let config = { configurable: { thread_id: 'long', actor_id: 'ada', checkpoint_ns: '' } };
  let first = 0;
  for (let step = 1; step <= 1_000; step += 1) {
    const said = Buffer.alloc(12_000, `${step} `).toString();
    const checkpoint = {
      v: 4,
      id: uuid6(step),
      ts: new Date(step).toISOString(),
      versions_seen: {},
      channel_values: { said },
      channel_versions: { said: step },
    };
    config = (await saver.put(
      config,
      checkpoint,
      { source: 'loop', step, parents: {} },
      { said: step },
    )) as typeof config;
    await saver.putWrites(config, [['said', said]], `task ${step}`);
    if (step === 100) first = heapInUse();
  }
  // All values together have 12 million characters.
  expect(heapInUse() - first).toBeLessThan(4_000_000);
});
