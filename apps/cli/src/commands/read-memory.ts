import type { Event, TurnHit } from '@turnkeeper/client';
import { print, required, wholeNumber } from './console.js';
import { connectServer, printLines, readArgs } from './server.js';

const json = { type: 'boolean', default: false } as const;
const text = { type: 'string' } as const;

/** Lists the memories of the key's tenant. */
export const listMemories = async (args: readonly string[]): Promise<void> => {
  const { values } = readArgs(args, { json });
  const line = ({ id, name, createdAt }: { id: string; name: string; createdAt: string }): string =>
    `${id}  ${createdAt}  ${name}`;
  await printLines(connectServer().memories.list(), values.json, line);
};

/** Creates a memory and prints its id. */
export const createMemory = async (args: readonly string[]): Promise<void> => {
  const { values } = readArgs(args, { name: text, namespace: text, json });
  const name = required(values.name, '--name NAME');
  const { namespace } = values;
  const strategy =
    namespace === undefined ? [] : [{ name: 'facts', type: 'SEMANTIC' as const, namespaceTemplate: namespace }];
  const memory = await connectServer().memories.create({ name, longTermMemoryStrategies: strategy });
  print(values.json ? JSON.stringify(memory) : `Memory ${memory.id}`);
};

/** Prints a memory, how much is in it, and how far its strategies have read. */
export const showMemory = async (args: readonly string[]): Promise<void> => {
  const { values } = readArgs(args, { memory: text, json });
  const memory = connectServer().memory(required(values.memory, '--memory ID'));
  const [view, usage, extraction] = await Promise.all([memory.get(), memory.usage(), memory.extraction()]);
  if (values.json) return print(JSON.stringify({ ...view, usage, extraction }));
  print(`${view.id}  ${view.name}`);
  for (const [what, count] of Object.entries(usage)) print(`  ${what.padEnd(18)}${count}`);
  print(extraction.caughtUp ? '  extracted up to the newest message' : '  extraction is behind');
};

const describeEvent = ({ sequence, event_timestamp: at, payload: { role, message, type } }: Event): string =>
  `${String(sequence ?? '-').padStart(5)}  ${at}  ${role ?? type}: ${message ?? '(binary)'}`;

/** Prints the messages of a session, and new ones as they arrive, until it is interrupted. */
export const tailSession = async (args: readonly string[]): Promise<void> => {
  const { values } = readArgs(args, {
    memory: text,
    actor: text,
    session: text,
    after: text,
    'no-follow': { type: 'boolean', default: false },
    json,
  });
  const session = connectServer()
    .memory(required(values.memory, '--memory ID'))
    .session(required(values.actor, '--actor ID'), required(values.session, '--session ID'));
  const after = wholeNumber(values.after, '--after N', 0, 0);
  const events = values['no-follow'] ? session.events({ after }) : session.follow({ after });
  await printLines(events, values.json, describeEvent);
};

const describeTurn = ({ score, actorId, sessionId, event }: TurnHit): string =>
  `${score.toFixed(2)}  ${actorId}/${sessionId}#${event.sequence}  ${event.payload.role}: ${event.payload.message}`;

/** Smallest limit that the API accepts for records. */
const MIN_RECORDS = 5;

/** Searches the turns of a memory, an actor or a session; with a namespace, the records in it. */
export const search = async (args: readonly string[]): Promise<void> => {
  const options = { memory: text, actor: text, session: text, namespace: text, limit: text, json };
  const { values, positionals } = readArgs(args, options, ['QUERY']);
  const [query = ''] = positionals;
  const memory = connectServer().memory(required(values.memory, '--memory ID'));
  const limit = wholeNumber(values.limit, '--limit N', 1, 10);
  const { namespace, actor, session } = values;
  if (namespace !== undefined) {
    const records = await memory.records.search(query, { namespace, limit: Math.max(limit, MIN_RECORDS) });
    return printLines(
      records.slice(0, limit),
      values.json,
      ({ score, id, memory: fact }) => `${(score ?? 0).toFixed(2)}  ${id}  ${fact}`,
    );
  }
  const scope =
    session !== undefined
      ? memory.session(required(actor, '--actor ID'), session)
      : actor === undefined
        ? memory
        : memory.actor(actor);
  await printLines(await scope.searchTurns(query, { limit }), values.json, describeTurn);
};
