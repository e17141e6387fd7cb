import { randomUUID } from 'node:crypto';
import { turn, type Api } from './api.js';
import type { Belongings } from './route-samples.js';
import type { Stack } from './stack.js';

/** Project at a voice platform whose agents are filed in the memory. */
const APP = 'app-1';

/**
 * One of every resource of a tenant, each with the marker in its text.
 *
 * @param key a key of the tenant that requests about keys can end
 */
export const furnish = async (
  { inspector }: Stack,
  api: Api,
  marker: string,
  key: { readonly tenantId: string; readonly keyId: string },
): Promise<Belongings> => {
  const make = async <T>(method: string, path: string, body: unknown): Promise<T> => {
    const answer = await api.request<T>(method, path, { body });
    if (answer.status > 299) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const memory = await api.createMemory({
    name: marker,
    longTermMemoryStrategies: [
      { name: 'facts', type: 'SEMANTIC' },
      { name: 'summary', type: 'SUMMARY' },
    ],
  });
  const strategyId = memory.longTermMemoryStrategies[0]!.id;
  const session = { memoryId: memory.id, actorId: 'ada', sessionId: 'monday' };
  const event = await api.append(session, turn('user', `My code is ${marker}.`));
  const namespace = `/strategies/${strategyId}/actors/ada`;
  const { records } = await make<{ records: { id: string }[] }>(
    'POST',
    `/memory/memories/${memory.id}/memory-records:insert-directly?namespace=${encodeURIComponent(namespace)}`,
    { memoryRecords: [`The code is ${marker}.`] },
  );
  await make('PUT', `/v1/vendor-apps/agora/${APP}`, { memoryId: memory.id });
  const agent = await make<{ agent_id: string }>('POST', `/api/conversational-ai-agent/v2/projects/${APP}/join`, {
    name: `${marker}-agent`,
    properties: { labels: { user_id: 'ada', session_id: 'monday' } },
  });
  const endpoint = await api.createEndpoint('http://127.0.0.1:59999/hook', {
    description: marker,
    events: ['agent.history', 'agent.action'],
  });
  const deliveryId = randomUUID();
  await inspector.rows(
    `insert into webhook_deliveries
       (delivery_id, tenant_id, endpoint_id, event_type, cause_event_id, agent_id, message_id, body, status)
     values ($1, $2, $3, 'agent.history', $4, $5, 'message-1', $6, 'parked')`,
    [deliveryId, key.tenantId, endpoint.id, event.eventId, agent.agent_id, Buffer.from(marker)],
  );
  await inspector.rows(
    // As an earlier release parked a message of JetStream.
    `insert into parked_items (source, item_id, code, error, payload, attempts)
     values ('jetstream/elsewhere', $1, 'delivery.exhausted', 'it broke', 'x', 12)`,
    [marker],
  );
  const deletion = await make<{ id: string }>('POST', `/v1/memories/${memory.id}/record-deletions`, {
    namespace: marker,
  });
  const connector = await make<{ id: string }>('POST', '/v1/connectors', {
    vendor: 'agora',
    memoryId: memory.id,
    secret: 'shared-with-the-vendor',
    description: marker,
  });
  const checkpoint = { type: 'json', data: Buffer.from(JSON.stringify(marker)).toString('base64') };
  await make('POST', `/v1/memories/${memory.id}/actors/ada/sessions/monday/checkpoints`, {
    checkpointId: 'checkpoint-1',
    checkpoint,
    metadata: checkpoint,
    labels: { marker },
  });
  return {
    ...session,
    checkpointId: 'checkpoint-1',
    ...key,
    strategyId,
    longTermMemoryStrategyId: strategyId,
    eventId: event.eventId,
    sourceEventId: event.eventId,
    recordId: records[0]!.id,
    deletionId: deletion.id,
    agentId: agent.agent_id,
    endpointId: endpoint.id,
    deliveryId,
    connectorId: connector.id,
    parkedId: Buffer.from(JSON.stringify(['message', 'jetstream/elsewhere', marker])).toString('base64url'),
    vendor: 'agora',
    appId: APP,
    namespace,
  };
};
