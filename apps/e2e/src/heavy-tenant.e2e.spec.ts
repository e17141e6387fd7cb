import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { turn, type Session } from './harness/api.js';
import { Stack } from './harness/stack.js';

const SENTENCE = 'I like tea with lemon. My sister Ann lives in Hue. We went to the sea in May. ';
const LONG = SENTENCE.repeat(Math.floor(99_000 / SENTENCE.length));

describe('a tenant whose text takes minutes of CPU', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start();
  });
  afterAll(() => stack?.stop());

  it('delays neither the worker nor another tenant; its work ends when its memory is deleted', async () => {
    const heavy = stack.apiOf(stack.ingests[0]!, await stack.createKey({ tenant: 'heavy' }));
    const strategy = { name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/facts' };
    const memory = await heavy.createMemory({ longTermMemoryStrategies: [strategy] });
    for (let message = 0; message < 50; message += 1) {
      const session: Session = { memoryId: memory.id, actorId: 'ada', sessionId: `call ${message % 12}` };
      await heavy.append(session, turn('user', LONG));
    }
    const running = () =>
      stack.inspector.number('select count(*) from extraction_states where memory_id = $1 and lease_until > now()', [
        memory.id,
      ]);
    await eventually(async () => (await running()) > 0, { withinMs: 20_000, everyMs: 20, what: 'it is read' });

    const other = await stack.api.createMemory({ longTermMemoryStrategies: [strategy] });
    await stack.api.append({ memoryId: other.id, actorId: 'eve', sessionId: 'one' }, turn('user', 'I moved to Hue.'));
    const records = () => stack.inspector.number('select count(*) from records where memory_id = $1', [other.id]);
    await eventually(
      async () => {
        const alive = await fetch(`${stack.worker!.url}/livez`, { signal: AbortSignal.timeout(1_000) });
        expect(alive.status).toBe(200);
        return (await records()) > 0;
      },
      { withinMs: 20_000, everyMs: 50, what: 'the record of the other tenant' },
    );
    expect(await running()).toBeGreaterThan(0);

    await heavy.request('DELETE', `/memory/memories/${memory.id}`);
    await eventually(async () => (await running()) === 0, {
      withinMs: 15_000,
      everyMs: 50,
      what: 'its work has ended',
    });
  });
});
