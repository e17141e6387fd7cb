import { eventually, startModelServer, type ModelServer } from '@turnkeeper/testing';
import { expect } from 'vitest';
import type { MemoryView } from '../harness/answers.js';
import { startChatModel, type ChatModelServer } from '../chat/chat-model-server.js';
import { Stack } from '../harness/stack.js';
import { answersAsRecorded } from './recorded-answers.js';

interface NoticesView {
  readonly items: readonly unknown[];
}

export const SECRET = 'vendor-console-secret';

/** Template of the namespaces with the facts of a user. */
const FACTS_OF_USER = { name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/facts/{actorId}' };

/** An installation that serves all platforms, each with a memory of its own. Started before the first case. */
export class World {
  stack!: Stack;
  /** The model that chat requests are forwarded to. */
  chatModel!: ChatModelServer;
  private extractionModel: ModelServer | null = null;

  /** @param extractor what makes the records: rules, or a model whose answers were recorded */
  constructor(readonly extractor: 'no model' | 'recorded model answers') {}

  readonly start = async (): Promise<void> => {
    this.chatModel = await startChatModel();
    const settings: Record<string, string> = { CHAT_MODEL_URL: this.chatModel.url };
    if (this.extractor === 'recorded model answers') {
      this.extractionModel = await startModelServer();
      this.extractionModel.behave(answersAsRecorded);
      Object.assign(settings, { LLM_BASE_URL: this.extractionModel.url, LLM_MODEL: 'recorded' });
    }
    this.stack = await Stack.start({ settings });
  };
  readonly stop = async (): Promise<void> => {
    await this.stack?.stop();
    await this.chatModel?.close();
    await this.extractionModel?.close();
  };

  /** A memory that keeps facts about its users. */
  readonly newMemory = (): Promise<MemoryView> =>
    this.stack.api.createMemory({ longTermMemoryStrategies: [FACTS_OF_USER] });

  /** Sends a request of our own API that must succeed. */
  readonly send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await this.stack.api.request<T>(method, path, body === undefined ? {} : { body });
    expect([answer.status, path, answer.body]).toEqual([expect.toSatisfy(isSuccess), path, answer.body]);
    return answer.body;
  };

  /**
   * The contexts that a backend fetches for a call, for example if the platform keeps the window itself: before anything is
   * said, and with the user's first words. Followed by what has been said in the call, they are what the model is given.
   */
  readonly contextsOf = async (memoryId: string, actorId: string) => {
    const path = `/memory/memories/${memoryId}/actors/${encodeURIComponent(actorId)}/context`;
    const contextFor = async (query: string) => (await this.send<{ text: string }>('POST', path, { query })).text;
    const before = await contextFor('');
    let after: string | null = null;
    return async (words: string, said: readonly string[]): Promise<string[]> => {
      after ??= await contextFor(words);
      return [before, after].map((context) => [context, ...said].join('\n'));
    };
  };

  /** The request that goes to an agent's model, one message per line. */
  readonly requestToModel = async (agentId: string): Promise<string> =>
    linesOf((await this.send<{ messages: unknown[] }>('GET', `/v1/agents/${agentId}/llm-request`)).messages);

  readonly connect = async (vendor: string, memoryId: string, more: object = {}): Promise<string> =>
    (await this.send<{ id: string }>('POST', '/v1/connectors', { vendor, memoryId, secret: SECRET, ...more })).id;

  /** Sends events of a call to a connector, with its secret. */
  readonly forward = async (vendor: string, connectorId: string, body: object): Promise<void> => {
    const headers = { authorization: `Bearer ${SECRET}` };
    const answer = await this.stack.api.request('POST', `/connectors/${vendor}/${connectorId}`, { body, headers });
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  };

  /** Everything that a connector received is in the log. */
  readonly untilFolded = (connectorId: string): Promise<void> =>
    eventually(
      async () =>
        (await this.send<NoticesView>('GET', `/v1/connectors/${connectorId}/notices?status=waiting`)).items.length ===
        0,
      { withinMs: 60_000, everyMs: 50, what: 'everything received is folded' },
    );

  /** Settles calls now instead of after the platform's last retry. */
  readonly passTime = async (seconds: number): Promise<void> => {
    await this.stack.inspector.rows(
      `update connector_notices set received_at = received_at - make_interval(secs => $1)`,
      [seconds],
    );
    await this.stack.inspector.rows(`update connector_calls set due_at = now(), version = version + 1`);
  };
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Messages as text: a content of several lines keeps them. */
export const linesOf = (messages: readonly unknown[]): string =>
  messages
    .map((message) => {
      const { role, content, ...more } = message as { readonly role: string; readonly content: string };
      return `${role}: ${content}${Object.keys(more).length === 0 ? '' : ` ${JSON.stringify(more)}`}`;
    })
    .join('\n');
