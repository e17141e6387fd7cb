import { writeJson } from '@turnkeeper/domain';
import type { Settings } from '@turnkeeper/platform';
import { Agent, request, type Dispatcher } from 'undici';

/** Between two pieces of an answer, and before the first: a reasoning model may be silent for minutes. */
const SILENCE_MS = 600_000;
const CONNECT_MS = 10_000;

/** The model that chat requests are forwarded to. */
export class ChatModel {
  private readonly agent = new Agent({
    connect: { timeout: CONNECT_MS },
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
  });

  constructor(private readonly settings: Pick<Settings, 'CHAT_MODEL_URL' | 'CHAT_MODEL_API_KEY'>) {}

  get isConfigured(): boolean {
    return this.settings.CHAT_MODEL_URL !== undefined;
  }

  /**
   * Rejects if the model cannot be reached, or the signal aborts.
   *
   * @param key bearer token of the caller for the model; absent: that of the installation
   */
  send(body: object, key: string | undefined, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { CHAT_MODEL_URL = '', CHAT_MODEL_API_KEY } = this.settings;
    const token = key ?? CHAT_MODEL_API_KEY;
    return request(`${CHAT_MODEL_URL}${CHAT_MODEL_URL.endsWith('/') ? '' : '/'}chat/completions`, {
      method: 'POST',
      dispatcher: this.agent,
      signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: writeJson(body),
    });
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }
}

/** Response headers that clients act on. */
const PASSED_ON = /^(content-type|retry-after|retry-after-ms|x-should-retry|openai-.*|x-ratelimit-.*)$/;

export const passedOn = (headers: Dispatcher.ResponseData['headers']): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value !== undefined && PASSED_ON.test(name) ? [[name, value]] : [],
    ),
  );
