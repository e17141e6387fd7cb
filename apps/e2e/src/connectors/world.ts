import { eventually } from '@turnkeeper/testing';
import { expect } from 'vitest';
import type { AgentView, ListView, MemoryView } from '../harness/answers.js';
import { startReceiver, type Receiver } from '../harness/receiver.js';
import { Stack } from '../harness/stack.js';

interface ConnectorView {
  readonly id: string;
  readonly callbackUrl: string;
}
interface NoticesView {
  readonly items: readonly { readonly status: string; readonly code: string | null; readonly callKey: string }[];
}

export const SECRET = 'vendor-console-secret';
export const MAX_BODY_BYTES = 65_536;
/** A message as Agora sends it. */
export const item = (role: string, content: string, more: object = {}) => ({ role, content, ...more });

/** A stack with one memory that all connectors write to, and a webhook receiver. Started before the first case. */
export class ConnectorWorld {
  stack!: Stack;
  memory!: MemoryView;
  receiver!: Receiver;

  readonly start = async (): Promise<void> => {
    this.receiver = await startReceiver();
    this.stack = await Stack.start({ settings: { MAX_BODY_BYTES: String(MAX_BODY_BYTES) } });
    this.memory = await this.stack.api.createMemory({
      longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/facts/{actorId}' }],
    });
    await this.stack.api.createEndpoint(this.receiver.url);
  };

  readonly stop = async (): Promise<void> => {
    await this.stack?.stop();
    await this.receiver?.close();
  };

  readonly connect = async (vendor: string, more: object = {}): Promise<ConnectorView> => {
    const body = { vendor, memoryId: this.memory.id, secret: SECRET, ...more };
    const answer = await this.stack.api.request<ConnectorView>('POST', '/v1/connectors', { body });
    expect(answer.status).toBe(201);
    expect(JSON.stringify(answer.body)).not.toContain('"secret"');
    expect(JSON.stringify(answer.body)).not.toContain(SECRET);
    return answer.body;
  };
  readonly messages = async (actorId: string, sessionId: string): Promise<string[]> => {
    const events = await this.stack.api.history({ memoryId: this.memory.id, actorId, sessionId });
    return events.map(({ payload }) => `${payload.role}: ${payload.message}`);
  };
  readonly untilSaid = async (actorId: string, sessionId: string, expected: readonly string[]): Promise<void> => {
    let last: readonly string[] = [];
    await eventually(async () => (last = await this.messages(actorId, sessionId)).length >= expected.length, {
      withinMs: 20_000,
      everyMs: 50,
      what: () => `${expected.length} messages; there are ${JSON.stringify(last)}`,
    });
    expect(await this.messages(actorId, sessionId)).toEqual(expected);
  };
  readonly notices = async (connectorId: string, status: string) =>
    (await this.stack.api.request<NoticesView>('GET', `/v1/connectors/${connectorId}/notices?status=${status}`)).body
      .items;
  readonly untilFolded = (connectorId: string) =>
    eventually(async () => (await this.notices(connectorId, 'waiting')).length === 0, {
      withinMs: 20_000,
      everyMs: 50,
    });
  readonly agentsOf = async (actorId: string): Promise<readonly AgentView[]> =>
    (await this.stack.api.request<ListView<AgentView>>('GET', `/v1/agents?actorId=${actorId}`)).body.items;

  /** Settles calls now instead of after their timeout. */
  readonly passTime = async (seconds: number): Promise<void> => {
    await this.stack.inspector.rows(
      `update connector_notices set received_at = received_at - make_interval(secs => $1)`,
      [seconds],
    );
    await this.stack.inspector.rows(`update connector_calls set due_at = now(), version = version + 1`);
  };
}
