import { eventsPath, turn } from '../harness/api.js';
import type { Call, Platform } from './platform.js';
import { linesOf, type World } from './world.js';

interface Memory {
  readonly id: string;
}
interface Page {
  readonly listData: readonly { readonly payload: { readonly role: string; readonly message: string } }[];
}

/** What the agent's model asks its tool `recall` for. */
const RECALLED = [
  'What is the patient number of the user?',
  'Which allergies does the user have?',
  'Which medicines does the user take?',
  'What is the phone number of the user?',
  'Where does the user live?',
  'Did the user move?',
  'Why did the user call?',
  'What did the user ask for?',
];

/**
 * An agent on AgentBase's runtime, without a framework: it stores each turn as an event, reads the newest events of the
 * session, and has a tool that searches records, with the guide's limits. Sessions of all users have the same names.
 */
export const agentBase = (world: World): Platform => {
  let memoryId = '';
  let strategyId = '';
  const calls = new Map<string, number>();

  return {
    title: "AgentBase's events and records",
    users: ['user-12', 'user-123'],
    start: async () => {
      const memory = await world.send<Memory>('POST', '/memory/memories', {
        name: 'clinic-calls',
        description: 'Memory for the phone agent',
        eventExpiryDuration: 30,
        longTermMemoryStrategies: [
          {
            name: 'semantic-facts',
            type: 'SEMANTIC',
            namespaceTemplate: '/strategies/{memoryStrategyId}/actors/{actorId}',
            enableAutomaticMemoryRecordGeneration: true,
          },
        ],
      });
      memoryId = memory.id;
      const [strategy] = await world.send<Memory[]>('GET', `/memory/memories/${memoryId}/long-term-memory-strategies`);
      strategyId = strategy!.id;
    },
    dial: (actorId): Promise<Call> => {
      const call = (calls.get(actorId) ?? 0) + 1;
      calls.set(actorId, call);
      const events = eventsPath({ memoryId, actorId, sessionId: `session-${call}` });
      const namespace = encodeURIComponent(`/strategies/${strategyId}/actors/${actorId}`);
      let lastWords = '';
      return Promise.resolve({
        say: async ({ role, text, generated }) => {
          if (role === 'user') lastWords = text;
          const cut = { source: 'llm', interrupted: true, original: generated };
          await world.send('POST', events, turn(role, text, generated === undefined ? {} : { metadata: cut }));
        },
        modelInput: async () => {
          const search = `/memory/memories/${memoryId}/memory-records:search?namespace=${namespace}`;
          const found = await Promise.all(
            [lastWords, ...RECALLED].map((query) =>
              world.send<{ memory: string }[]>('POST', search, { query, limit: 5, scoreThreshold: 0.5 }),
            ),
          );
          const facts = new Set(found.flat().map(({ memory }) => `- ${memory}`));
          const { listData } = await world.send<Page>('GET', `${events}?from=0&size=20`);
          const turns = listData.map(({ payload }) => ({ role: payload.role, content: payload.message })).reverse();
          return [['About the user:', ...facts, 'Said earlier:', linesOf(turns)].join('\n')];
        },
        hangUp: () => Promise.resolve(),
      });
    },
    settled: () => world.stack.api.untilExtracted(memoryId),
  };
};
