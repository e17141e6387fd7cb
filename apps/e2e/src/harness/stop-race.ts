import { expect } from 'vitest';
import type { AgentView, Appended, Problem } from './answers.js';
import type { Api } from './api.js';

const APPENDS = 2;

/** The outcome of one race. */
export interface Race {
  readonly agentId: string;
  /** What was acknowledged, by sequence. */
  readonly acknowledged: readonly string[];
  readonly refused: number;
}

interface Answer {
  readonly status: number;
  readonly body: {
    readonly messages: readonly Appended[];
    readonly contents: readonly { content: string }[];
  } & Problem;
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Appends through an agent at one ingest while another one stops it, and checks both: an append after the stop is
 * rejected, a repeat of an acknowledged one gets the first response, and the history contains what was acknowledged.
 *
 * @param leadMs how long before the stop the appends are sent; after it if negative
 */
export const raceWithStop = async ({
  agent: { id: agentId },
  appendTo,
  stopAt,
  leadMs,
}: {
  readonly agent: AgentView;
  readonly appendTo: Api;
  readonly stopAt: Api;
  readonly leadMs: number;
}): Promise<Race> => {
  const call = async (api: Api, path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = { authorization: `Bearer ${api.apiKey}`, 'content-type': 'application/json', ...init.headers };
    const response = await fetch(`${api.url}/v1/agents/${agentId}${path}`, { ...init, headers });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  const say = (content: string, api: Api): Promise<Answer> =>
    call(api, '/messages', {
      method: 'POST',
      body: JSON.stringify({ contents: [{ role: 'user', content }] }),
      headers: { 'idempotency-key': content },
    });
  const contents = Array.from({ length: APPENDS }, (_, index) => `${agentId}-${index}`);
  const appending = after(-leadMs).then(() => Promise.all(contents.map((content) => say(content, appendTo))));
  const stopping = after(leadMs).then(() => call(stopAt, '/stop', { method: 'POST' }));
  const [answers, stopped] = await Promise.all([appending, stopping]);
  expect(stopped.status).toBe(200);

  const acknowledged = answers
    .flatMap(({ status, body }, index) =>
      status === 200 ? [{ content: contents[index]!, sequence: body.messages[0]!.sequence }] : [],
    )
    .sort((a, b) => a.sequence - b.sequence)
    .map(({ content }) => content);
  const refused = answers.filter(({ status }) => status !== 200);
  for (const { status, body } of refused) expect([status, body.code]).toEqual([409, 'agent.not_running']);

  const late = await say(`late-${agentId}`, appendTo);
  expect([late.status, late.body.code]).toEqual([409, 'agent.not_running']);
  const first = answers.findIndex(({ status }) => status === 200);
  if (first >= 0) {
    const repeat = await say(contents[first]!, stopAt);
    expect([repeat.status, repeat.body]).toEqual([200, answers[first]!.body]);
  }
  const history = await call(stopAt, '/history');
  expect(history.body.contents.map(({ content }) => content)).toEqual(acknowledged);
  return { agentId, acknowledged, refused: refused.length };
};
