import { expect } from 'vitest';
import { differences } from '../harness/conforms.js';
import type { Stack } from '../harness/stack.js';

/** The guide's shell: its host, its token and its `curl`. */
export class GuideClient {
  stack!: Stack;
  /** `$HOST` of the guide. */
  host = '';
  /** `$TOKEN` of the guide. */
  token = '';

  use(stack: Stack): void {
    this.stack = stack;
    this.host = `${stack.ingests[0]!.url}/memory`;
    this.token = stack.api.apiKey ?? '';
  }

  /** The response's body, checked against the OpenAPI document; undefined if it is empty. */
  readonly bodyOf = async <T>(method: string, response: Response): Promise<T> => {
    const text = await response.text();
    const body = text === '' ? undefined : (JSON.parse(text) as T);
    const contentType = response.headers.get('content-type') ?? '';
    const { pathname } = new URL(response.url);
    expect(differences(method, pathname, { status: response.status, contentType, body: body ?? null })).toEqual([]);
    return body as T;
  };

  /** What the guide's `curl -s -X … | jq .` prints. */
  readonly curl = async <T>(method: string, url: string, data?: string): Promise<{ status: number; answer: T }> => {
    const response = await fetch(url, {
      method,
      headers: {
        Authorization: `Bearer ${this.token}`,
        ...(data === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(data === undefined ? {} : { body: data }),
    });
    return { status: response.status, answer: await this.bodyOf<T>(method, response) };
  };
}
