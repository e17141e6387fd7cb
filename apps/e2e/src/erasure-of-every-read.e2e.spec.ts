import type { RouteSpec } from '@turnkeeper/contracts';
import { API_ROUTES } from '@turnkeeper/vendors';
import { eventually, startModelServer, tolerableModes, type ModelServer } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsPath, turn } from './harness/api.js';
import { jsonOf, startReceiver, type Receiver } from './harness/receiver.js';
import { sampleOf, type Belongings } from './harness/route-samples.js';
import { Stack } from './harness/stack.js';
import { contentsOf, findTraces } from './harness/traces.js';

/** Every read; new routes are covered through the route table. */
const READS = API_ROUTES.filter(
  ({ method, id }) => method === 'GET' || id === 'searchRecords' || id.startsWith('findAnswer'),
);

/** Reads without conversation content. Every other route must show the marker once. */
const WITHOUT_WORDS: ReadonlySet<string> = new Set([
  ...['listMemories', 'getMemory', 'getUsage', 'listStrategies', 'getStrategy'], // containers and counts
  ...['listActors', 'getActor', 'listSessions', 'listRecentSessions', 'getSession'], // ids
  ...['listRecordDeletions', 'getRecordDeletion'], // progress
  ...['getExtraction', 'getSessionExtraction', 'listParkedWindows'], // extraction progress
  ...['getAgent', 'listAgents', 'agoraQuery', 'agoraList'], // what the caller gave an agent at its start
  'agoraTurns', // times of turns
  'getProfile', // typed values, which this model does not give; erasure.e2e.spec.ts deletes one
  ...['listWebhookEndpoints', 'getWebhookEndpoint'],
  ...['listConnectors', 'getConnector', 'listConnectorNotices', 'listInstanceMappings', 'listVendorApps'],
  ...['listTenants', 'getTenant', 'listKeys', 'listErasureKeys', 'getLimits'],
  'getCheckpoint', // values in base64
  'getThreadActor', // an id
  ...['listAuditLog', 'listParkedWork', 'getActivity'], // actions and codes, never content
]);

const MARKER = 'Kq7town';
const QUESTION = 'Which town do I live in?';
const APP = 'app-1';

describe('after a delete', () => {
  let stack: Stack;
  let receiver: Receiver;
  let model: ModelServer;
  let endpointId: string;
  let connectorId: string;
  beforeAll(async () => {
    model = await startModelServer();
    model.behave(tolerableModes.honest);
    // Small, so that histories are sent with a link to the full one.
    stack = await Stack.start({
      settings: { STREAM_CONTENT: 'full', WEBHOOK_INLINE_BYTES: '1024', LLM_BASE_URL: model.url, LLM_MODEL: 'stub' },
    });
    // Its responses repeat the end of what it receives.
    receiver = await startReceiver(({ raw }) => ({ status: 200, body: raw.subarray(-500) }));
    endpointId = (await stack.api.createEndpoint(receiver.url)).id;
    const { id: memoryId } = await stack.api.createMemory({});
    const connector = { vendor: 'agora', memoryId, secret: 'shared-with-the-vendor' };
    connectorId = (await stack.api.request<{ id: string }>('POST', '/v1/connectors', { body: connector })).body.id;
  });
  afterAll(async () => {
    await stack.stop();
    await receiver.close();
    await model.close();
  });

  /**
   * A conversation with the marker and everything derived from it: records, a rolling memory, a link to its history.
   */
  const plant = async (actorId: string) => {
    const memory = await stack.api.createMemory({
      longTermMemoryStrategies: [
        { name: 'facts', type: 'SEMANTIC' },
        { name: 'summary', type: 'SUMMARY', rollingMemory: { turn_interval: 1 } },
      ],
    });
    const session = { memoryId: memory.id, actorId, sessionId: 'monday' };
    const ended = await stack.api.startAgent(session, `${actorId}-ended`);
    const labels = { memory_id: memory.id, user_id: actorId, session_id: 'monday' };
    const { body: running } = await stack.api.request<{ agent_id: string }>(
      'POST',
      `/api/conversational-ai-agent/v2/projects/${APP}/join`,
      { body: { name: `${actorId}-running`, properties: { labels } } },
    );
    const [, ...said] = await stack.api.appendBatch(session, [
      turn('user', `Let me tell you of the weather. ${'It rains and rains. '.repeat(80)}`),
      turn('user', `FACT: lives in ${MARKER}.`),
      turn('user', QUESTION),
      turn('assistant', `You live in ${MARKER}.`),
    ]);
    await stack.api.untilExtracted(memory.id);
    const namespace = memory.longTermMemoryStrategies[0]!.namespaceTemplate.replace(
      '{memoryStrategyId}',
      memory.longTermMemoryStrategies[0]!.id,
    ).replace('{actorId}', actorId);
    const record = (await stack.api.records(memory.id, namespace)).find(({ memory: text }) => text.includes(MARKER));
    await stack.api.stopAgent(ended.id);
    const strategyId = memory.longTermMemoryStrategies[0]!.id;
    let deliveryId = '';
    const isPlanned = async () => {
      const planned = await stack.api.deliveries(endpointId);
      deliveryId = planned.find(({ agentId }) => agentId === ended.id)?.id ?? '';
      return deliveryId !== '';
    };
    await eventually(isPlanned, { everyMs: 50, what: 'a delivery is planned' });
    const belongings: Belongings = {
      ...session,
      strategyId,
      namespace,
      endpointId,
      connectorId,
      deliveryId,
      eventId: said[0]!.eventId,
      recordId: record!.id,
      agentId: running.agent_id,
      tenantId: '00000000-0000-4000-8000-000000000000',
      appId: APP,
      deletionId: '00000000-0000-4000-8000-000000000000',
    };
    return { session, belongings, ended: ended.id, said: said.map(({ eventId }) => eventId) };
  };

  /** The link in the agent's history webhook. */
  const linkOf = async (agentId: string): Promise<string> => {
    const links = () =>
      receiver.received
        .map((webhook) => jsonOf<{ data: { agentId?: string; historyUrl?: string } }>(webhook).data)
        .filter((data) => data.agentId === agentId && data.historyUrl !== undefined)
        .map((data) => new URL(data.historyUrl!));
    await eventually(() => links().length > 0, { withinMs: 30_000, what: `the history of ${agentId} was sent` });
    return `${links()[0]!.pathname}${links()[0]!.search}`;
  };

  const read = async (route: RouteSpec, of: Belongings, link: string): Promise<boolean> => {
    if (route.id === 'getWholeHistory') {
      return JSON.stringify(await stack.apiOf(stack.ingests[0]!, null).request('GET', link)).includes(MARKER);
    }
    const { path, query, body } = sampleOf(route, of);
    const asks = route.id === 'searchRecords' || route.id.startsWith('findAnswer');
    const search = new URLSearchParams(asks && route.method === 'GET' ? { query: QUESTION } : query);
    const parts = asks && route.method === 'POST' ? { body: { query: QUESTION } } : body === undefined ? {} : { body };
    const answer = await stack.api.request(route.method, `${path}?${search}`, parts);
    return JSON.stringify(answer.body).includes(MARKER);
  };
  const readsThatShow = async (of: Belongings, link: string): Promise<string[]> => {
    const shows = await Promise.all(READS.map((route) => read(route, of, link)));
    return READS.filter((_, at) => shows[at]).map(({ id }) => id);
  };
  const expectedToShow = READS.map(({ id }) => id).filter((id) => !WITHOUT_WORDS.has(id));

  type Planted = Awaited<ReturnType<typeof plant>>;
  it.each<[string, (planted: Planted) => readonly string[]]>([
    ['its events', ({ session, said }) => [said[0]!, said[2]!].map((id) => `${eventsPath(session)}/${id}`)],
    ['the session', ({ session }) => [eventsPath(session).replace(/\/events$/, '')]],
    ['the actor', ({ session }) => [`/memory/memories/${session.memoryId}/actors/${session.actorId}`]],
    ['the actor, everywhere', ({ session }) => [`/v1/actors/${session.actorId}`]],
    ['the memory', ({ session }) => [`/memory/memories/${session.memoryId}`]],
  ])('no read returns the content after deleting %s', async (what, pathsOf) => {
    const planted = await plant(what.replaceAll(/\W/g, '-'));
    const link = await linkOf(planted.ended);
    let shown: readonly string[] = [];
    const allShow = async () =>
      (shown = await readsThatShow(planted.belongings, link)).join() === expectedToShow.join();
    await eventually(allShow, {
      withinMs: 20_000,
      everyMs: 100,
      what: () => `every read shows it or is named as one without words: ${differences(shown, expectedToShow)}`,
    });

    expect((await contentsOf(stack)).join('\n')).toContain(MARKER);
    for (const path of pathsOf(planted)) expect((await stack.api.request('DELETE', path)).status, path).toBe(200);
    expect(await readsThatShow(planted.belongings, link)).toEqual([]);
  });

  it('no store contains it', async () => {
    let traces: unknown = [];
    const gone = async (): Promise<boolean> => (traces = await findTraces(stack, [MARKER])).length === 0;
    await eventually(gone, { withinMs: 30_000, what: 'no trace is left' }).catch(() => expect(traces).toEqual([]));
  });
});

const differences = (shown: readonly string[], expected: readonly string[]): string =>
  [...expected.filter((id) => !shown.includes(id)), ...shown.filter((id) => !expected.includes(id))].join(', ');
