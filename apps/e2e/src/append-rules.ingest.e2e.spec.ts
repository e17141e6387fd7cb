import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Appended, Problem, StoredEvent } from './harness/answers.js';
import { eventsPath, turn, type RequestParts, type Session } from './harness/api.js';
import { Stack } from './harness/stack.js';

const UNKNOWN_MEMORY = '00000000-0000-4000-8000-000000000000';
const MAX_BODY_BYTES = 1_000_000;

describe('appending', () => {
  let stack: Stack;
  let memoryId: string;
  let sessions = 0;

  beforeAll(async () => {
    stack = await Stack.start({ worker: false, settings: { MAX_BODY_BYTES: String(MAX_BODY_BYTES) } });
    memoryId = (await stack.api.createMemory({})).id;
  });
  afterAll(() => stack?.stop());

  const newSession = (): Session => ({ memoryId, actorId: 'ada', sessionId: `thread ${(sessions += 1)}` });
  const post = <T>(session: Session, parts: RequestParts) => stack.api.request<T>('POST', eventsPath(session), parts);

  /** Sends an invalid request; returns the problem after checking its format and that nothing was stored. */
  const refused = async (path: string, parts: RequestParts, api = stack.api): Promise<Problem> => {
    const before = await stack.inspector.census();
    const answer = await api.request<Problem>('POST', path, parts);
    expect(answer.contentType).toMatch(/^application\/problem\+json/);
    expect(answer.body).toMatchObject({
      type: `/docs/errors#${answer.body.code}`,
      title: expect.stringMatching(/\S/),
      status: answer.status,
      code: expect.stringMatching(/^[a-z_]+\.[a-z_]+$/),
    });
    expect(await stack.inspector.census()).toEqual(before);
    return answer.body;
  };

  describe('twice', () => {
    it.each([
      ['one event', turn('user', 'again and again')],
      ['a batch', { events: [turn('user', 'first'), turn('assistant', 'second')] }],
    ])('returns the first response for the same key and body: %s', async (_, body) => {
      const session = newSession();
      const headers = { 'idempotency-key': `order-${session.sessionId.replaceAll(' ', '-')}` };
      const first = await post(session, { body, headers });
      expect(first.status).toBe(200);
      const census = await stack.inspector.census();
      const second = await post(session, { body, headers });
      expect([second.status, second.body]).toEqual([200, first.body]);
      expect(await stack.inspector.census()).toEqual(census);
    });

    it('stores nothing again once its content was erased, however often and by whichever route it is repeated', async () => {
      const secret = (text: string) => turn('user', `My secret: ${text}.`);
      const session = { memoryId, actorId: 'forgotten', sessionId: 'erased' };
      const agent = await stack.api.startAgent(session, 'erased-desk');
      const records = `/memory/memories/${memoryId}/memory-records:insert-directly?namespace=/facts/forgotten`;
      const requests: [path: string, parts: RequestParts, after: string][] = [
        [eventsPath(session), { body: secret('one') }, 'idempotency.content_erased'],
        [eventsPath(session), { body: { events: [secret('two'), secret('three')] } }, 'idempotency.content_erased'],
        [
          `/v1/agents/${agent.id}/messages`,
          { body: { contents: [{ role: 'user', content: 'My secret: four.' }] } },
          'agent.not_found',
        ],
        [
          '/v1/agents',
          { body: { memoryId, actorId: 'forgotten', sessionId: 'erased', name: 'My secret: five.' } },
          'idempotency.answer_missing',
        ],
        [records, { body: { memoryRecords: ['My secret: six.'] } }, 'idempotency.answer_missing'],
      ];
      const send = ([path, parts]: (typeof requests)[number], nth: number) =>
        stack.api.request<Problem>('POST', path, { ...parts, headers: { 'idempotency-key': `erased-${nth}` } });
      for (const [nth, request] of requests.entries()) expect((await send(request, nth)).status).toBeLessThan(300);
      const byEventId = { ...secret('seven'), eventId: '0197a000-0000-7000-8000-000000000007' };
      expect((await post(session, { body: byEventId })).status).toBe(200);

      expect((await stack.api.request('DELETE', eventsPath(session).replace(/\/sessions.*$/, ''))).status).toBe(200);
      const census = await stack.inspector.census();
      for (let round = 0; round < 3; round += 1) {
        const repeats = await Promise.all(requests.map(send));
        expect(repeats.map(({ body }) => body.code)).toEqual(requests.map(([, , code]) => code));
        expect((await post<Problem>(session, { body: byEventId })).body.code).toBe('idempotency.content_erased');
      }
      expect(await stack.inspector.census()).toEqual(census);
      // A new key is new content.
      expect((await post(session, { body: secret('one') })).status).toBe(200);
    });

    it('rejects the same key with another body', async () => {
      const session = newSession();
      const headers = { 'idempotency-key': 'one-key' };
      await post(session, { body: turn('user', 'this'), headers });
      const problem = await refused(eventsPath(session), { body: turn('user', 'that'), headers });
      expect(problem).toMatchObject({ status: 422, code: 'idempotency.body_differs' });
    });

    it('scopes a key to its session: other sessions can use it too', async () => {
      const headers = { 'idempotency-key': 'shared-key' };
      const [one, two] = [newSession(), newSession()];
      const first = await stack.api.append(one, turn('user', 'here'), headers);
      const second = await stack.api.append(two, turn('user', 'there'), headers);
      expect(second.eventId).not.toBe(first.eventId);
    });

    it("returns the first response for the caller's own event id, and rejects it with another body", async () => {
      const session = newSession();
      const eventId = '018f0000-0000-7000-8000-00000000000a';
      const body = turn('user', 'mine', { eventId });
      const first = await stack.api.append(session, body);
      expect(await stack.api.append(session, body)).toEqual(first);
      const problem = await refused(eventsPath(session), { body: turn('user', 'yours', { eventId }) });
      expect(problem).toMatchObject({ status: 422 });
    });

    it('stores one of two concurrent copies', async () => {
      const session = newSession();
      const headers = { 'idempotency-key': 'race' };
      const copies = Array.from({ length: 20 }, () => stack.api.append(session, turn('user', 'once'), headers));
      expect(new Set((await Promise.all(copies)).map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(await stack.api.history(session)).toHaveLength(1);
    });
  });

  describe('with an expected sequence', () => {
    it('succeeds if it is current; if stale, is rejected with the current one', async () => {
      const session = newSession();
      await stack.api.append(session, turn('user', 'one', { expectedSequence: 0 }));
      await stack.api.append(session, turn('user', 'two', { expectedSequence: 1 }));
      const problem = await refused(eventsPath(session), { body: turn('user', 'late', { expectedSequence: 1 }) });
      expect(problem).toMatchObject({ status: 409, code: 'session.sequence_conflict', currentSequence: 2 });
      const ahead = await refused(eventsPath(session), { body: turn('user', 'early', { expectedSequence: 9 }) });
      expect(ahead).toMatchObject({ status: 409, currentSequence: 2 });
    });

    it('lets exactly one of many succeed', async () => {
      const session = newSession();
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          post<Problem>(session, { body: turn('user', `try ${index}`, { expectedSequence: 0 }) }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
    });

    it('returns the first response for a repeated append, although the sequence has advanced', async () => {
      const session = newSession();
      const [headers, body] = [{ 'idempotency-key': 'retry' }, turn('user', 'one', { expectedSequence: 0 })];
      const first = await stack.api.append(session, body, headers);
      await stack.api.append(session, turn('user', 'two'));
      expect(await stack.api.append(session, body, headers)).toEqual(first);
    });
  });

  describe('is rejected without a trace', () => {
    const fine = turn('user', 'fine');
    it.each<[string, RequestParts, number, string, string?]>([
      ['bad JSON', { raw: '{"payload": ' }, 400, 'body.invalid_json'],
      ['no body', {}, 400, 'payload.invalid', ''],
      ['a body that is a list', { body: [] }, 400, 'payload.invalid', ''],
      ['a body that is null', { raw: 'null' }, 400, 'payload.invalid', ''],
      ['100,001 characters', { body: turn('user', 'x'.repeat(100_001)) }, 400, 'payload.invalid', 'payload.message'],
      ['an unknown field', { body: { ...fine, extra: 1 } }, 400, 'payload.invalid', 'extra'],
      [
        'an unknown field inside',
        { body: { payload: { ...fine.payload, mesage: '' } } },
        400,
        'payload.invalid',
        'payload.mesage',
      ],
      ['an empty batch', { body: { events: [] } }, 400, 'payload.invalid', 'events'],
      ['1,001 events', { body: { events: Array(1_001).fill(fine) } }, 400, 'payload.invalid', 'events'],
      [
        'one bad event among good ones',
        { body: { events: [fine, { payload: {} }, fine] } },
        400,
        'payload.invalid',
        'events.1.payload.type',
      ],
      [
        'the same event id twice in a batch',
        { body: { events: Array(2).fill({ ...fine, eventId: UNKNOWN_MEMORY }) } },
        400,
        'payload.invalid',
        'events.1.eventId',
      ],
      ['a NUL in the message', { body: turn('user', 'a\0b') }, 400, 'payload.invalid', 'payload.message'],
      [
        'a NUL in the metadata',
        { body: turn('user', 'a', { metadata: { k: ['\0'] } }) },
        400,
        'payload.invalid',
        'metadata',
      ],
      [
        'a NUL in a metadata key',
        { body: turn('user', 'a', { metadata: { 'k\0': 1 } }) },
        400,
        'payload.invalid',
        'metadata',
      ],
      [
        'metadata 17 levels deep',
        { body: turn('user', 'a', { metadata: deep(17) }) },
        400,
        'payload.invalid',
        'metadata',
      ],
      [
        'a message without a role',
        { body: { payload: { type: 'CONVERSATIONAL', message: 'hi' } } },
        400,
        'payload.invalid',
        'payload.role',
      ],
      [
        'message and binary data',
        { body: { payload: { ...fine.payload, binaryData: 'aGk=' } } },
        400,
        'payload.invalid',
        'payload.message',
      ],
      [
        'binary data that is not base64',
        { body: { payload: { type: 'BINARY', binaryData: '%%%' } } },
        400,
        'payload.invalid',
        'payload.binaryData',
      ],
      [
        'a time without a zone',
        { body: { ...fine, eventTimestamp: '2023-05-08T13:56:00' } },
        400,
        'payload.invalid',
        'eventTimestamp',
      ],
      [
        'a time that is none',
        { body: { ...fine, eventTimestamp: '2023-02-30T13:56:00Z' } },
        400,
        'payload.invalid',
        'eventTimestamp',
      ],
      [
        'a negative expected sequence',
        { body: { ...fine, expectedSequence: -1 } },
        400,
        'payload.invalid',
        'expectedSequence',
      ],
      [
        'a number that is beyond all numbers',
        { raw: JSON.stringify(turn('user', 'a', { metadata: { n: 0 } })).replace('0', '1e400') },
        400,
        'payload.invalid',
        'metadata',
      ],
      [
        'the same as a turn',
        { raw: JSON.stringify({ ...fine, turnId: 0 }).replace('0', '1e400') },
        400,
        'payload.invalid',
        'turnId',
      ],
      [
        'a metadata key of 900 kB',
        { body: turn('user', 'a', { metadata: { ['k'.repeat(900_000)]: 1 } }) },
        400,
        'payload.invalid',
        'metadata',
      ],
      [
        'an unknown field of 900 kB',
        { body: { ...fine, ['k'.repeat(900_000)]: 1 } },
        400,
        'payload.invalid',
        'k'.repeat(100),
      ],
      [
        'the same key twice',
        {
          raw: `{"payload":{"type":"CONVERSATIONAL","role":"user","message":"a"},"payload":${JSON.stringify(fine.payload)}}`,
        },
        400,
        'body.repeated_key',
        'payload',
      ],
      [
        'the same key twice inside',
        { raw: '{"events":[{"payload":{"type":"CONVERSATIONAL","role":"user","message":"a","\\u0072ole":"system"}}]}' },
        400,
        'body.repeated_key',
        'events.0.payload.role',
      ],
      ['a key with a space', { body: fine, headers: { 'idempotency-key': 'a b' } }, 400, 'payload.invalid'],
      [
        'an oversized body',
        { body: turn('user', 'x', { metadata: { big: 'x'.repeat(MAX_BODY_BYTES) } }) },
        413,
        'body.too_large',
      ],
      ['another content type', { raw: '<a/>', headers: { 'content-type': 'application/xml' } }, 415, 'body.not_json'],
      [
        'a form',
        { raw: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
        415,
        'body.not_json',
      ],
    ])('%s', async (_, parts, status, code, field) => {
      const problem = await refused(eventsPath(newSession()), parts);
      expect(problem).toMatchObject({ status, code, ...(field === undefined ? {} : { field }) });
    });

    it('labels 100,000 levels deep', async () => {
      const { memoryId, actorId, sessionId } = newSession();
      const raw = JSON.stringify({ memoryId, actorId, sessionId, name: 'x', labels: {} }).replace(
        '{}',
        `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
      );
      expect(await refused('/v1/agents', { raw })).toMatchObject({
        status: 400,
        code: 'body.too_deep',
        rule: expect.any(String),
        next: expect.any(String),
      });
    });

    it.each([
      ['an unknown memory', `/memory/memories/${UNKNOWN_MEMORY}/actors/a/sessions/s/events`, 404, 'memory.not_found'],
      ['a memory id that is none', '/memory/memories/mine/actors/a/sessions/s/events', 404, 'memory.not_found'],
      ['an unknown route', '/memory/memory', 404, 'route.not_found'],
    ])('%s', async (_, path, status, code) => {
      expect(await refused(path, { body: fine })).toMatchObject({ status, code });
    });

    it.each([
      ['a NUL in the actor', (session: Session) => eventsPath({ ...session, actorId: 'a\0' })],
      ['256 characters in the session', (session: Session) => eventsPath({ ...session, sessionId: 's'.repeat(256) })],
      ['a path that is not UTF-8', (session: Session) => eventsPath(session).replace('ada', '%ff')],
      ['a path that breaks off', (session: Session) => eventsPath(session).replace('ada', '%e')],
    ])('%s', async (_, pathOf) => {
      expect((await refused(pathOf(newSession()), { body: fine })).status).toBe(400);
    });

    it('one invalid event among valid ones, without revealing its content', async () => {
      const secret = 'my card number is 4111 1111';
      const answer = await post<Problem>(newSession(), { body: { events: [turn('user', `${secret}\0`)] } });
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).not.toContain('4111');
    });

    it('bytes that are not HTTP', async () => {
      const before = await stack.inspector.census();
      expect(await sayTo(stack.ingests[0]!.url, 'POST nowhere\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
      expect(await stack.inspector.census()).toEqual(before);
    });
  });

  describe('requires a key', () => {
    it.each([
      ['none', null],
      ['a malformed one', 'hello'],
      ['an unknown one', `tk_${'0'.repeat(16)}_${'0'.repeat(64)}`],
    ])('%s', async (_, key) => {
      const problem = await refused(
        eventsPath(newSession()),
        { body: turn('user', 'x') },
        stack.apiOf(stack.ingests[0]!, key),
      );
      expect(problem).toMatchObject({ status: 401, code: 'auth.unauthenticated' });
    });

    it('with a valid secret, not only a valid id', async () => {
      const forged = stack.api.apiKey!.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      const api = stack.apiOf(stack.ingests[0]!, forged);
      expect(await refused(eventsPath(newSession()), { body: turn('user', 'x') }, api)).toMatchObject({ status: 401 });
    });

    it('with the scope of the route', async () => {
      const reader = stack.apiOf(stack.ingests[0]!, await stack.createKey({ scopes: ['memory:read'] }));
      const session = newSession();
      expect(await refused(eventsPath(session), { body: turn('user', 'x') }, reader)).toMatchObject({
        status: 403,
        code: 'auth.missing_scope',
        rule: expect.stringContaining('memory:write'),
      });
      expect(await reader.history(session)).toEqual([]);
    });

    it("of the memory's own tenant", async () => {
      const stranger = stack.apiOf(stack.ingests[0]!, await stack.createKey({ tenant: 'globex' }));
      expect(await refused(eventsPath(newSession()), { body: turn('user', 'x') }, stranger)).toMatchObject({
        status: 404,
        code: 'memory.not_found',
      });
    });
  });

  it('accepts values at the limits and returns them unchanged', async () => {
    const session = { memoryId, actorId: 'a'.repeat(255), sessionId: '🌊/..%2F?#\\'.repeat(20) };
    const texts = ['x'.repeat(100_000), '', ' \r\n\t', '\ud800 half a pair', '{"$ne": 1} \'; drop table events; --'];
    await stack.api.appendBatch(
      session,
      texts.map((text) => turn('user', text)),
    );
    expect((await stack.api.history(session)).map(({ payload }) => payload.message)).toEqual(texts);
    const batch = await stack.api.appendBatch(session, Array(1_000).fill(turn('user', 'one of many')));
    expect(batch.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 6));
    const binary = await post<Appended>(session, { body: { payload: { type: 'BINARY', binaryData: 'aGk=' } } });
    expect(binary.status).toBe(200);
    const newest = await stack.api.request<{ listData: StoredEvent[] }>('GET', `${eventsPath(session)}?size=1`);
    expect(newest.body.listData[0]).toMatchObject({
      id: binary.body.eventId,
      payload: { type: 'BINARY', binaryData: 'aGk=' },
    });
  });
});

/** An object nested this many levels deep. */
const deep = (levels: number): unknown => (levels === 1 ? {} : { next: deep(levels - 1) });

const sayTo = (url: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (data: string) => (answer += data));
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
