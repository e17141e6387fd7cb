import { expect } from 'vitest';
import type { Answer, RequestParts } from '../harness/api.js';
import type { Stack } from '../harness/stack.js';

const APP = '1f2e3d';
export const projectOf = (app: string): string => `/api/conversational-ai-agent/v2/projects/${app}`;
export const PROJECT = projectOf(APP);

export interface Task {
  readonly agent_id: string;
  readonly create_ts: number;
  readonly status: string;
}

/** A client of Agora's agent API. */
export class AgoraClient {
  readonly authorization: string;
  private names = 0;

  constructor(
    readonly stack: Stack,
    readonly memoryId: string,
  ) {
    // Agora's customer id and secret: the two parts of an API key.
    const [, keyId, secret] = stack.api.apiKey!.split('_');
    this.authorization = `Basic ${Buffer.from(`${keyId}:${secret}`).toString('base64')}`;
  }

  call<T>(method: string, path: string, body?: unknown, more: RequestParts = {}): Promise<Answer<T>> {
    return this.at<T>(`${PROJECT}${path}`, method, body, more);
  }

  at<T>(path: string, method: string, body?: unknown, more: RequestParts = {}): Promise<Answer<T>> {
    return this.stack.api.request<T>(method, path, {
      ...(body === undefined ? {} : { body }),
      ...more,
      headers: { authorization: this.authorization, ...more.headers },
    });
  }

  join(llm: object = {}, properties: object = {}): Promise<Answer<Task>> {
    return this.call<Task>('POST', '/join', {
      name: `desk-${(this.names += 1)}`,
      properties: {
        channel: 'room-9',
        token: 'rtc token',
        agent_rtc_uid: '0',
        remote_rtc_uids: ['*'],
        labels: { memory_id: this.memoryId, user_id: 'user123' },
        llm: { url: 'https://llm.example.com/chat', api_key: 'sk-not-kept', style: 'openai', ...llm },
        tts: { vendor: 'any' },
        ...properties,
      },
    });
  }

  async started(llm: object = {}, properties: object = {}): Promise<Task> {
    return (await this.join(llm, properties)).body;
  }

  speak(task: Task, contents: readonly unknown[], query = '') {
    return this.call<Task>('POST', `/agents/${task.agent_id}/history${query}`, { contents });
  }

  llmRequest(task: Task, query = '') {
    return this.stack.api.request('GET', `/v1/agents/${task.agent_id}/llm-request${query}`);
  }
}

export const expectRefusal = ({ status, body }: Answer, [code, reason]: readonly [number, string]): void => {
  expect([status, body]).toEqual([code, { detail: expect.stringMatching(/\S/) as string, reason }]);
  // In the vendor's words: neither our documents nor our field names.
  expect(JSON.stringify(body)).not.toMatch(/openapi|\/v1\/|memoryId|actorId|agentId|sessionId|turnId/);
};
