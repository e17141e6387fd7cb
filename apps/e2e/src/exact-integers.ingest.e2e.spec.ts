import { parseJson } from '@turnkeeper/domain';
import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsPath } from './harness/api.js';
import { Stack } from './harness/stack.js';

/** Beyond 2^53, where JavaScript rounds. */
const ODD = '9007199254740993';
const LONG = '-8823141512340984513';
const NUMBERS = `"odd":${ODD},"list":[{"long":${LONG}}],"text":"${ODD}","small":7`;

describe('integers beyond 2^53', () => {
  let stack: Stack;
  let memoryId: string;
  const send = async (method: string, path: string, body?: string, type = 'application/json'): Promise<string> => {
    const response = await fetch(`${stack.api.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${stack.api.apiKey}`,
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      body: body ?? null,
    });
    const text = await response.text();
    expect(response.ok, `${method} ${path}: ${text}`).toBe(true);
    return text;
  };
  /** Expects the numbers as they were sent, and the text with the same digits still as text. */
  const expectNumbers = (text: string): void => {
    expect(text).toMatch(new RegExp(`"odd":\\s*${ODD}[,}]`));
    expect(text).toMatch(new RegExp(`"long":\\s*${LONG}[,}]`));
    expect(text).toContain(`"text":"${ODD}"`);
    expect(text).not.toContain('\\u0000');
  };

  beforeAll(async () => {
    stack = await Stack.start({ worker: false });
    memoryId = (await stack.api.createMemory({})).id;
  });
  afterAll(() => stack?.stop());

  const session = (sessionId: string) => ({ memoryId, actorId: 'ada', sessionId });

  it('in the metadata and tool calls of messages are what they were in every response', async () => {
    const path = eventsPath(session('metadata'));
    const call = `{"role":"assistant","type":"CONVERSATIONAL","message":"Your marigold order."}`;
    const event = `{"payload":${call},"metadata":{${NUMBERS}},"toolCalls":[{"id":"c1","type":"function","n":${ODD}}]}`;
    const { eventId } = JSON.parse(await send('POST', path, event)) as { eventId: string };
    for (const [method, place, body] of [
      ['GET', path],
      ['GET', `${path}/${eventId}`],
      ['POST', `${path}:search`, '{"query":"marigold order"}'],
      ['POST', `/memory/memories/${memoryId}/events:search`, '{"query":"marigold order"}'],
      ['POST', `/memory/memories/${memoryId}/actors/ada/events:search`, '{"query":"marigold order"}'],
    ] as const) {
      let answer = '';
      await eventually(async () => (answer = await send(method, place, body)).includes('marigold'), {
        what: `${method} ${place} finds the message`,
      });
      if (answer.includes('"metadata"') || method === 'GET') expectNumbers(answer);
      if (method === 'GET') expect(answer).toContain(`"n":${ODD}}`);
    }
  });

  it('are what they were in a stream', async () => {
    const path = eventsPath(session('streamed'));
    const payload = '{"role":"user","type":"CONVERSATIONAL","message":"hi"}';
    await send('POST', path, `{"payload":${payload},"metadata":{${NUMBERS}}}`);
    const response = await fetch(`${stack.api.url}${path}/stream`, {
      headers: { authorization: `Bearer ${stack.api.apiKey}` },
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes(': up to date')) text += (await reader.read()).value ?? '';
    await reader.cancel();
    expectNumbers(text);
  });

  it("in an agent's params, labels and messages are what they were", async () => {
    const start = `{"memoryId":"${memoryId}","actorId":"ada","sessionId":"agent","name":"agent","params":{${NUMBERS}},
      "labels":{${NUMBERS}},"systemMessages":[{"role":"system","content":"x",${NUMBERS}}]}`;
    const started = await send('POST', '/v1/agents', start);
    expectNumbers(started);
    const path = `/v1/agents/${(JSON.parse(started) as { id: string }).id}`;
    expectNumbers(
      await send(
        'POST',
        `${path}/messages`,
        `{"contents":[{"role":"user","content":"hi","metadata":{${NUMBERS}},"other":${ODD}}]}`,
      ).then(() => send('GET', `${path}/history`)),
    );
    expect(await send('GET', `${path}/history`)).toContain(`"other":${ODD}`);
    expectNumbers(await send('GET', path));
    expectNumbers(await send('GET', `/v1/agents?sessionId=agent`));
    expectNumbers(await send('GET', `${path}/llm-request`));
    await send('POST', `${path}/update`, `{"params":{"odd":${LONG}}}`);
    expect(await send('GET', path)).toContain(`"params":{"odd":${LONG}}`);
  });

  describe('in a graph', () => {
    const batch = (operations: string) =>
      send('POST', `/v1/memories/${memoryId}/graph-store:batch`, `{"operations":[${operations}]}`);
    const find = (filter: string) => batch(`{"op":"search","prefix":["numbers"],"filter":${filter}}`);

    it('store are what they were, and are found by their value and order', async () => {
      await batch(`{"op":"put","namespace":["numbers"],"key":"a","value":{${NUMBERS}}}`);
      expectNumbers(await batch('{"op":"get","namespace":["numbers"],"key":"a"}'));
      for (const filter of [
        `{"odd":${ODD}}`,
        `{"odd":{"$gt":9007199254740992}}`,
        `{"odd":{"$gte":${ODD},"$lt":9007199254740994}}`,
        `{"odd":{"$in":[1,${ODD}]}}`,
        `{"text":"${ODD}"}`,
      ]) {
        expectNumbers(await find(filter));
      }
      for (const filter of [
        `{"odd":9007199254740992}`,
        `{"odd":"${ODD}"}`,
        `{"text":${ODD}}`,
        `{"odd":{"$ne":${ODD}}}`,
      ]) {
        expect(await find(filter), filter).not.toContain('"key":"a"');
      }
    });

    it("checkpoint's labels find it by their value", async () => {
      const path = `/v1/memories/${memoryId}/actors/ada/sessions/graph/checkpoints`;
      const value = '{"type":"json","data":"e30="}';
      await send(
        'POST',
        path,
        `{"checkpointId":"1","checkpoint":${value},"metadata":${value},"labels":{"odd":${ODD},"text":"${ODD}"},
          "channelVersions":{"c":${ODD}},"channels":[{"channel":"c","version":${ODD},"type":"json","data":"e30="}]}`,
      );
      const found = (filter: string) => send('POST', `${path}:search`, `{"filter":${filter}}`);
      expect(await found(`{"odd":${ODD}}`)).toContain(`"version":"${ODD}"`);
      expect(await found(`{"text":"${ODD}"}`)).toContain('"checkpointId":"1"');
      for (const filter of [`{"odd":"${ODD}"}`, '{"odd":9007199254740992}', `{"text":${ODD}}`]) {
        expect(await found(filter), filter).not.toContain('"checkpointId":"1"');
      }
    });
  });

  it('are what they were when a request is repeated with its idempotency key', async () => {
    const body = `{"memoryId":"${memoryId}","actorId":"ada","sessionId":"repeated","name":"repeated","params":{${NUMBERS}}}`;
    const post = (text: string) =>
      fetch(`${stack.api.url}/v1/agents`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${stack.api.apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': 'long-integers',
        },
        body: text,
      });
    const first = await (await post(body)).text();
    const second = await post(body);
    expect(await second.text()).toBe(first);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expectNumbers(first);
    expect((await post(body.replace(`"odd":${ODD}`, `"odd":"${ODD}"`))).ok).toBe(false);
  });

  it('survive an export and its import', async () => {
    const path = `/v1/memories/${memoryId}/export`;
    const file = await send('GET', path);
    expectNumbers(file);
    const answer = await send('POST', '/v1/memories:import?ids=new', file, 'application/x-ndjson');
    const copied = (JSON.parse(answer) as { memoryId: string }).memoryId;
    const again = await send('GET', `/v1/memories/${copied}/export`);
    const contents = (text: string): unknown[] =>
      text
        .trim()
        .split('\n')
        .map((line) => parseJson(line) as { data?: { metadata?: unknown }; value?: unknown; labels?: unknown })
        .map(({ data, value, labels }) => [data?.metadata, value, labels])
        .sort();
    expect(contents(again)).toEqual(contents(file));
    expectNumbers(again);
  });

  it('are their digits where an id is text, and nothing else is taken for them', async () => {
    const { id } = JSON.parse(
      await send(
        'POST',
        '/v1/agents',
        `{"memoryId":"${memoryId}","actorId":8823141512340984513,"sessionId":"i","name":"i"}`,
      ),
    ) as { id: string };
    expect(await send('GET', `/v1/agents/${id}`)).toContain('"actorId":"8823141512340984513"');
    const body = (metadata: string) =>
      `{"payload":{"role":"user","type":"CONVERSATIONAL","message":"hi"},"metadata":${metadata}}`;
    for (const [metadata, rule] of [
      [`{"a":"\\u0000${ODD}"}`, 'NUL'],
      [`{"a":${'9'.repeat(400)}}`, '1.8e308'],
    ] as const) {
      const response = await fetch(`${stack.api.url}${eventsPath(session('refused'))}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${stack.api.apiKey}`, 'content-type': 'application/json' },
        body: body(metadata),
      });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain(rule);
    }
  });
});
