import { setTimeout as pause } from 'node:timers/promises';
import { startModelServer, tolerableModes, type ModelServer } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Conversations } from './harness/conversations.js';
import { Stack } from './harness/stack.js';

const KILLS = 12;
const COUNT = 40;
const TURNS = 24;

describe('extraction by a worker that is killed a dozen times', () => {
  let model: ModelServer;
  let stack: Stack;

  beforeAll(async () => {
    // Slow enough that a kill always finds windows between request and commit.
    model = await startModelServer();
    model.behave(async (request, reply) => {
      await pause(150);
      tolerableModes.honest(request, reply);
    });
    stack = await Stack.start({
      settings: {
        LLM_BASE_URL: model.url,
        LLM_MODEL: 'stub',
        EXTRACTION_WINDOW_EVENTS: '6',
        // By default a window is parked after six kills; with a dozen kills in a minute, that happens to some windows.
        EXTRACTION_MAX_ATTEMPTS: '20',
      },
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await model?.close();
  });

  it(
    'tiles every session, creates all expected records, and requests no answer twice',
    { timeout: 600_000 },
    async () => {
      const conversations = await Conversations.in(stack);
      const held = conversations.hold('call', COUNT, { turns: TURNS });
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const share = kill / (KILLS + 2);
        await conversations.untilRecords(share * COUNT * TURNS, 120_000);
        await stack.killWorker();
        await stack.startWorker();
      }
      await held;
      await conversations.expectComplete([], 120_000);
      expect(conversations.factCount).toBe(COUNT * TURNS);

      const { inspector } = stack;
      const inLog = (type: string) => inspector.number('select count(*) from events where type = $1', [type]);
      const windows = await inspector.number(
        `select count(*) from events where type = 'records.extracted' and data ->> 'answerEventId' is not null`,
      );
      // Every answer received was used once; the rest are calls cut off by a kill.
      expect(await inLog('extraction.answered')).toBe(windows);
      expect(model.requests.length).toBeGreaterThan(windows);
      expect(await inspector.number('select count(*) from extraction_states where attempts <> 0')).toBe(0);
    },
  );
});
