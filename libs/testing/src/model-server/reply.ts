import type { ServerResponse } from 'node:http';

/** The ways a mode can answer. Each ends the response. */
export class Reply {
  constructor(readonly response: ServerResponse) {}

  /** A chat completion whose message contains `content`. */
  completion(content: string | null, options: { finishReason?: string; refusal?: string } = {}): void {
    this.json(200, {
      id: 'chatcmpl-stub',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'stub',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content, refusal: options.refusal ?? null },
          finish_reason: options.finishReason ?? 'stop',
        },
      ],
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    });
  }

  json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
    this.raw(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
  }

  raw(status: number, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): void {
    this.response.writeHead(status, headers);
    this.response.end(body);
  }

  /** Closes the connection without an answer, or after the given part of a body that was announced as longer. */
  drop(piece?: string): void {
    const { socket } = this.response;
    if (piece === undefined) {
      socket?.destroy();
      return;
    }
    this.response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' });
    this.response.write(piece, () => socket?.destroy());
  }
}
