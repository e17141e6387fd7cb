import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { differences } from '../harness/conforms.js';
import type { Stack } from '../harness/stack.js';

/** The data of the examples in ZEGOCLOUD's guide on short-term memory. */
export const GIVEN = {
  SyncMode: 1,
  Messages: [
    { Role: 'user', Content: "What's your name?" },
    { Role: 'assistant', Content: 'My name is Doubao.' },
    { Role: 'user', Content: 'Tell me a story.' },
    { Role: 'assistant', Content: "Sure, let me tell you the story of 'The Three Little Pigs'." },
  ],
};
export const FROM_ARCHIVE = { SyncMode: 0, ZIM: { RobotId: '@RBT#123', LoadMessageCount: 10 } };
export const TO_ARCHIVE = { SyncMode: 0, ZIM: { RobotId: '@RBT#123' } };
export const LISTED = { Total: 4, MessageList: GIVEN.Messages };

export const APP_ID = 1234567890;
export const SERVER_SECRET = '9193cc662a4c0ec135ec71fb57194b38';

export interface Envelope<T = unknown> {
  readonly Code: number;
  readonly Message: string;
  readonly RequestId: string;
  readonly Data?: T;
}
interface Message {
  readonly Role: string;
  readonly Content: string;
}
export interface MessageList {
  readonly Total: number;
  readonly MessageList: readonly Message[];
}

/** A client of ZEGOCLOUD's agent API, whose app is registered with one memory. */
export class ZegoClient {
  stack!: Stack;
  memoryId = '';

  async use(stack: Stack): Promise<void> {
    this.stack = stack;
    this.memoryId = (await stack.api.createMemory({})).id;
    const body = { memoryId: this.memoryId, secret: SERVER_SECRET };
    const path = `/v1/vendor-apps/zegocloud/${APP_ID}`;
    expect((await stack.api.request('PUT', path, { body })).status).toBe(200);
  }

  readonly query = (action: string, change: Record<string, string> = {}): string => {
    const nonce = randomBytes(8).toString('hex');
    const timestamp = change['Timestamp'] ?? String(Math.floor(Date.now() / 1_000));
    const signature = createHash('md5').update(`${APP_ID}${nonce}${SERVER_SECRET}${timestamp}`).digest('hex');
    return new URLSearchParams({
      Action: action,
      AppId: String(APP_ID),
      SignatureNonce: nonce,
      Timestamp: timestamp,
      Signature: signature,
      SignatureVersion: '2.0',
      ...change,
    }).toString();
  };
  /** A client without our API keys. */
  readonly act = async <T = undefined>(
    action: string,
    body: unknown,
    path = '/',
    change?: Record<string, string>,
  ): Promise<Envelope<T>> => {
    const response = await fetch(`${this.stack.api.url}${path}?${this.query(action, change)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    const answer = (await response.json()) as Envelope<T>;
    const contentType = response.headers.get('content-type') ?? '';
    // Both paths are documented as one.
    expect(differences('POST', '/zegocloud', { status: response.status, contentType, body: answer })).toEqual([]);
    return answer;
  };
  readonly create = async (history: object | undefined, more: object = {}): Promise<string> => {
    const body = {
      AgentId: 'ai_agent_1',
      UserId: 'user_1',
      RTC: { RoomId: 'room', AgentStreamId: 'a', AgentUserId: 'robot', UserStreamId: 'u' },
      ...(history === undefined ? {} : { MessageHistory: history }),
      ...more,
    };
    const { Code, Data } = await this.act<{ AgentInstanceId: string }>('CreateAgentInstance', body);
    expect(Code).toBe(0);
    return Data!.AgentInstanceId;
  };
  readonly list = async (AgentInstanceId: string) =>
    (await this.act<MessageList>('GetAgentInstanceMsgList', { AgentInstanceId })).Data;
  readonly add = (AgentInstanceId: string, ...contents: string[]) =>
    this.act('AddAgentInstanceMsg', {
      AgentInstanceId,
      Messages: contents.map((Content) => ({ Role: 'user', Content })),
    });
  readonly end = (AgentInstanceId: string) => this.act('DeleteAgentInstance', { AgentInstanceId });
  readonly window = async (AgentInstanceId: string): Promise<readonly string[]> => {
    const { body } = await this.stack.api.request<{ messages: { content: string }[] }>(
      'GET',
      `/v1/agents/${AgentInstanceId}/llm-request`,
    );
    return body.messages.map(({ content }) => content);
  };
}
