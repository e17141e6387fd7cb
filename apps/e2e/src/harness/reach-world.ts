import { plant } from './planted-markers.js';
import { turn, type Api } from './api.js';
import type { Belongings } from './route-samples.js';

const FACTS = '/facts/{actorId}';
const OF_SESSION = '/calls/{sessionId}';
const SHARED = '/shared';

/** In the records of the memory `a` that belong to no actor. */
export const SHARED_MARKER = 'Kq7asharedsecret';

/** What one actor has in one memory. */
export interface Cell {
  readonly belongings: Belongings;
  /** In everything of this cell, and nowhere else. */
  readonly marker: string;
}

/** Two memories with the same two actors, each with a session of its own name. */
export interface ReachWorld {
  readonly cells: Readonly<Record<'aAlice' | 'aBob' | 'bAlice' | 'bBob', Cell>>;
  readonly memories: { readonly a: string; readonly b: string };
  /** Strategies of the memory `a` whose namespaces name the actor, only the session, or neither. */
  readonly strategies: { readonly facts: string; readonly ofSession: string; readonly shared: string };
}

const joinOf = ({ appId = '' }: Belongings): string => `/api/conversational-ai-agent/v2/projects/${appId}/join`;

/** Fills a tenant with what restricted keys must not mix up. */
export const furnishReach = async (api: Api, more: Belongings): Promise<ReachWorld> => {
  const make = async <T>(method: string, path: string, body: unknown): Promise<T> => {
    const answer = await api.request<T>(method, path, { body });
    if (answer.status > 299) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const memoryOf = (name: string) =>
    api.createMemory({
      name,
      longTermMemoryStrategies: [
        { name: 'facts', type: 'SEMANTIC', namespaceTemplate: FACTS },
        { name: 'calls', type: 'SEMANTIC', namespaceTemplate: OF_SESSION },
        { name: 'shared', type: 'SEMANTIC', namespaceTemplate: SHARED },
        { name: 'rolling', type: 'SUMMARY' },
      ],
    });
  const [a, b] = [await memoryOf('memory-a'), await memoryOf('memory-b')];

  const insert = (memoryId: string, namespace: string, text: string) =>
    make<{ records: { id: string }[] }>(
      'POST',
      `/memory/memories/${memoryId}/memory-records:insert-directly?namespace=${encodeURIComponent(namespace)}`,
      { memoryRecords: [text] },
    );

  // Callbacks of a voice platform, which nothing has read so far.
  const secret = 'secret-of-the-forwarding-server';
  const connectors = new Map<string, string>();
  for (const { id: memoryId } of [a, b]) {
    const { id } = await make<{ id: string }>('POST', '/v1/connectors', {
      vendor: 'openai-realtime',
      memoryId,
      secret,
    });
    connectors.set(memoryId, id);
  }
  const forward = async (connectorId: string, body: object): Promise<void> => {
    const headers = { authorization: `Bearer ${secret}` };
    const { status } = await api.request('POST', `/connectors/openai-realtime/${connectorId}`, { body, headers });
    if (status !== 200) throw new Error(`${status}`);
  };
  const saidBy = (text: string): object => ({
    type: 'conversation.item.done',
    event_id: `event of ${text}`,
    item: { id: 'item_1', type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  });

  const cellOf = async (memory: typeof a, actorId: string, sessionId: string): Promise<Cell> => {
    const marker = `Kq7${memory === a ? 'a' : 'b'}${actorId}secret`;
    plant(`the code ${marker} of the boat`);
    const text = `The code of the boat is ${marker}.`;
    const memoryId = memory.id;
    const session = { memoryId, actorId, sessionId };
    const path = `/v1/memories/${memoryId}/actors/${actorId}/sessions/${sessionId}`;
    // Agora's routes know agents of their apps only; ours know them all.
    const { agent_id: agentId } = await make<{ agent_id: string }>('POST', joinOf(more), {
      name: `desk of ${marker}`,
      properties: { labels: { memory_id: memoryId, user_id: actorId, session_id: sessionId } },
    });
    const event = await api.append(session, turn('user', `My code is ${marker}. Is the boat ready?`));
    await api.append(session, turn('assistant', `Yes, ${marker} is ready.`));
    const { records } = await insert(memoryId, `/facts/${actorId}`, text);
    await insert(memoryId, `/calls/${sessionId}`, text);
    const checkpointId = `checkpoint-${memory === a ? 'a' : 'b'}-${actorId}`;
    const checkpoint = { type: 'json', data: Buffer.from(JSON.stringify(marker)).toString('base64') };
    await make('POST', `${path}/checkpoints`, {
      checkpointId,
      checkpoint,
      metadata: checkpoint,
      labels: { marker },
    });
    await make('PUT', `/memory/memories/${memoryId}/actors/${actorId}/sessions/${sessionId}/memory-state`, {
      version: 1,
      facts: [`Captured ${marker}.`],
      summary: `Summary of ${marker}.`,
    });
    await forward(connectors.get(memoryId)!, { actor_id: actorId, session_id: 'by-phone', events: [saidBy(marker)] });
    const deletion = await make<{ id: string }>('POST', `/v1/memories/${memoryId}/record-deletions`, {
      namespace: '/nothing',
    });
    const strategyId = memory.longTermMemoryStrategies[0]!.id;
    return {
      marker,
      belongings: {
        ...more,
        ...session,
        strategyId,
        longTermMemoryStrategyId: strategyId,
        deletionId: deletion.id,
        connectorId: connectors.get(memoryId)!,
        eventId: event.eventId,
        sourceEventId: event.eventId,
        recordId: records[0]!.id,
        agentId,
        checkpointId,
        namespace: `/facts/${actorId}`,
        query: 'the code of the boat',
      },
    };
  };

  const cells = {
    aAlice: await cellOf(a, 'alice', 'sa'),
    aBob: await cellOf(a, 'bob', 'sb'),
    bAlice: await cellOf(b, 'alice', 'sa'),
    bBob: await cellOf(b, 'bob', 'sb'),
  };
  await insert(a.id, SHARED, `The code of the boat is ${SHARED_MARKER}.`);
  await make('POST', `/v1/memories/${a.id}/graph-store:batch`, {
    operations: [{ op: 'put', namespace: ['notes'], key: 'one', value: { text: `The code is ${SHARED_MARKER}.` } }],
  });
  const [facts, ofSession, shared] = a.longTermMemoryStrategies.map(({ id }) => id);
  return {
    cells,
    memories: { a: a.id, b: b.id },
    strategies: { facts: facts!, ofSession: ofSession!, shared: shared! },
  };
};
