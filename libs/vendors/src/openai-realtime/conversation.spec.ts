import type { Ids, ReadNotice } from '@turnkeeper/application';
import { ConnectorSignatureInvalid } from '@turnkeeper/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SETTLE_MS, SILENT_END_MS, type Received } from '../forwarded/plan.js';
import { forwardedBody, forwardedNotice } from '../forwarded/shapes.js';
import { planRealtimeCall, REALTIME_POSITION_MS } from './conversation.js';
import { openaiRealtime } from './index.js';
import { realtimeEvent, type RealtimeEvent } from './shapes.js';

const { read: readRealtime, verify: verifyRealtime } = openaiRealtime.connector;
type ReceivedEvent = Received<RealtimeEvent>;

const START = 1_767_225_600_000;
const at = (ms: number): Date => new Date(START + ms);

/** One exchange by voice, with OpenAI's fields. The transcript of the question comes after the answer. */
const EXCHANGE: readonly object[] = [
  { type: 'session.created', event_id: 'e0', session: { id: 'sess_1', type: 'realtime', model: 'gpt-realtime' } },
  {
    type: 'conversation.item.added',
    event_id: 'e1',
    previous_item_id: null,
    item: { id: 'i1', type: 'message', role: 'user', status: 'completed', content: [{ type: 'input_audio' }] },
  },
  {
    type: 'conversation.item.added',
    event_id: 'e2',
    previous_item_id: 'i1',
    item: { id: 'i2', type: 'message', role: 'assistant', status: 'in_progress', content: [] },
  },
  { type: 'response.output_audio.delta', event_id: 'e3', item_id: 'i2', delta: 'UklGRg==' },
  {
    type: 'response.done',
    event_id: 'e4',
    response: {
      id: 'resp_1',
      object: 'realtime.response',
      status: 'completed',
      usage: { total_tokens: 42 },
      output: [
        {
          id: 'i2',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_audio', transcript: 'The pool opens at seven.' }],
        },
      ],
    },
  },
  {
    type: 'conversation.item.input_audio_transcription.completed',
    event_id: 'e5',
    item_id: 'i1',
    content_index: 0,
    transcript: 'When does the pool open?',
    usage: { type: 'duration', seconds: 2 },
  },
];

const ids = { next: () => '', derive: (...parts: unknown[]) => JSON.stringify(parts) } as unknown as Ids;
const read = (events: readonly object[], more: object = {}): readonly ReadNotice[] =>
  readRealtime(forwardedBody.parse({ actor_id: 'linh', session_id: 'call-1', events, ...more }), {
    ids,
  });
const received = (notices: readonly ReadNotice[], ms = 0): ReceivedEvent[] =>
  notices.map(({ noticeKey, body }) => {
    const { event } = forwardedNotice(realtimeEvent).parse(JSON.parse(new TextDecoder().decode(body ?? undefined)));
    return { key: noticeKey, receivedAt: at(ms), event };
  });
const eventOf = (event: RealtimeEvent, key: string): ReceivedEvent => ({ key, receivedAt: at(0), event });
const plan = (events: readonly ReceivedEvent[], ms = 0, stored: readonly string[] = [], isClosed = false) =>
  planRealtimeCall(events, { now: at(ms), stored: (id) => stored.includes(id), isClosed });
const said = (events: readonly ReceivedEvent[], ms = 0) =>
  plan(events, ms).messages.map(({ message }) => `${message.role}: ${message.content}`);

const WHOLE = ['user: When does the pool open?', 'assistant: The pool opens at seven.'];

describe("OpenAI's server events", () => {
  it('become the messages of the conversation, in its order', () => {
    const { messages, nextAt } = plan(received(read(EXCHANGE)));
    expect(messages.map(({ message }) => `${message.role}: ${message.content}`)).toEqual(WHOLE);
    expect(messages.map(({ message }) => message.metadata)).toEqual([
      { source: 'asr', item_id: 'i1', usage: { type: 'duration', seconds: 2 } },
      { source: 'llm', item_id: 'i2', usage: { total_tokens: 42 } },
    ]);
    expect(nextAt).toEqual(at(SILENT_END_MS));
  });

  it('become the same messages however the events are divided into requests, and with any repeats', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: EXCHANGE.length }), fc.boolean(), (cut, repeats) => {
        const [first, rest] = [received(read(EXCHANGE.slice(0, cut))), received(read(EXCHANGE.slice(cut)))];
        const early = plan(first);
        const stored = early.messages.map(({ itemId }) => itemId);
        const open = first.filter(({ key }) => repeats || !early.settled.includes(key));
        const late = plan([...open, ...rest], 0, stored);
        expect(
          [...early.messages, ...late.messages].map(({ message }) => `${message.role}: ${message.content}`),
        ).toEqual(WHOLE);
      }),
    );
  });

  it('become the same messages in whatever order they arrive, and in any number of folds', () => {
    const turns = 4;
    const events = Array.from({ length: turns }, (_, turn) => {
      const [question, answer] = [`q${turn}`, `a${turn}`];
      const itemOf = (id: string, role: string) => ({ id, type: 'message', role });
      return [
        {
          type: 'conversation.item.added',
          previous_item_id: turn === 0 ? null : `a${turn - 1}`,
          item: { ...itemOf(question, 'user'), content: [{ type: 'input_audio' }] },
        },
        {
          type: 'conversation.item.input_audio_transcription.completed',
          item_id: question,
          transcript: `Question ${turn}?`,
        },
        { type: 'conversation.item.added', previous_item_id: question, item: itemOf(answer, 'assistant') },
        {
          type: 'response.done',
          response: {
            status: 'completed',
            usage: {},
            output: [{ ...itemOf(answer, 'assistant'), content: [{ type: 'output_text', text: `Answer ${turn}.` }] }],
          },
        },
      ];
    })
      .flat()
      .map((event, nth) => ({ ...event, event_id: `e${nth}` }));
    const whole = Array.from({ length: turns }, (_, turn) => [`user: Question ${turn}?`, `assistant: Answer ${turn}.`]);
    fc.assert(
      fc.property(
        fc.shuffledSubarray(events, { minLength: events.length }),
        fc.array(fc.boolean(), { minLength: events.length, maxLength: events.length }),
        (shuffled, folds) => {
          let pending: ReceivedEvent[] = [];
          const stored: string[] = [];
          const log: string[] = [];
          for (const [nth, event] of shuffled.entries()) {
            pending.push(...received(read([event])));
            if (folds[nth] !== true && nth < shuffled.length - 1) continue;
            const { messages, settled } = plan(pending, 0, stored);
            stored.push(...messages.map(({ itemId }) => itemId));
            log.push(...messages.map(({ message }) => `${message.role}: ${message.content}`));
            pending = pending.filter(({ key }) => !settled.includes(key));
          }
          expect(log).toEqual(whole.flat());
        },
      ),
      { numRuns: 300 },
    );
  });

  it('leave out an item that was deleted, and take back one that is stored', () => {
    const deleted = { type: 'conversation.item.deleted', event_id: 'e7', item_id: 'i2' };
    expect(said(received(read([...EXCHANGE, deleted])))).toEqual(WHOLE.slice(0, 1));
    const early = plan(received(read([deleted])));
    expect(early.settled).toEqual([]);
    expect(said(received(read([deleted, ...EXCHANGE])))).toEqual(WHOLE.slice(0, 1));
    expect(plan(received(read([deleted])), 0, ['i1', 'i2'])).toMatchObject({
      messages: [],
      cuts: [{ itemId: 'i2', isDeleted: true }],
    });
  });

  it('wait for the item before them, and no longer than its time', () => {
    const typed = {
      type: 'conversation.item.done',
      event_id: 'd',
      previous_item_id: 'missing',
      item: { id: 'i9', type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello?' }] },
    };
    expect(said(received(read([typed])))).toEqual([]);
    expect(plan(received(read([typed]))).nextAt).toEqual(at(SETTLE_MS));
    expect(said(received(read([typed])), SETTLE_MS)).toEqual(['user: Hello?']);
    expect(plan(received(read([typed])), 0, ['missing']).messages).toHaveLength(1);
  });

  it('hold the answer back while the transcript of the question is missing, and no longer than its time', () => {
    const untranscribed = received(read(EXCHANGE.slice(0, -1)));
    expect(said(untranscribed)).toEqual([]);
    expect(plan(untranscribed).nextAt).toEqual(at(SETTLE_MS));
    expect(said(untranscribed, SETTLE_MS)).toEqual(WHOLE.slice(1));
    // The transcript is not lost: it becomes a message after the answer.
    expect(plan(received(read(EXCHANGE.slice(-1))), REALTIME_POSITION_MS, ['i2']).messages).toMatchObject([
      { itemId: 'i1' },
    ]);
    const failed = { type: 'conversation.item.input_audio_transcription.failed', event_id: 'f', item_id: 'i1' };
    expect(said(received(read([...EXCHANGE.slice(0, -1), failed])))).toEqual(WHOLE.slice(1));
  });

  it('keep an interruption, before and after the answer is stored', () => {
    const cut = {
      type: 'conversation.item.truncated',
      event_id: 'e6',
      item_id: 'i2',
      content_index: 0,
      audio_end_ms: 900,
    };
    const [, answer] = plan(received(read([...EXCHANGE, cut]))).messages;
    expect(answer?.message.metadata).toMatchObject({ interrupted: true, audio_end_ms: 900 });
    expect(plan(received(read([cut])), 0, ['i1', 'i2'])).toMatchObject({
      messages: [],
      cuts: [{ itemId: 'i2', isDeleted: false }],
    });
  });

  it('keep tool calls and their results', () => {
    const call = { id: 'i3', type: 'function_call', name: 'book', arguments: '{}', call_id: 'c1' };
    const output = { id: 'i4', type: 'function_call_output', call_id: 'c1', output: 'done' };
    const events = [
      { type: 'response.done', event_id: 'a', response: { status: 'completed', output: [call] } },
      { type: 'conversation.item.done', event_id: 'b', item: output, previous_item_id: 'i3' },
    ];
    expect(plan(received(read(events)), REALTIME_POSITION_MS).messages.map(({ message }) => message)).toMatchObject([
      { role: 'assistant', toolCalls: [{ id: 'c1', function: { name: 'book', arguments: '{}' } }] },
      { role: 'tool', toolCallId: 'c1', content: 'done' },
    ]);
  });

  it('end the call when the sender says so, or after an hour of silence', () => {
    const ended = received(read(EXCHANGE, { ended: true }));
    expect(plan(ended)).toMatchObject({ end: { isFailure: false, reason: 'requested' }, nextAt: null });
    expect(plan(ended).settled).toHaveLength(ended.length);
    const waiting = plan(received(read(EXCHANGE.slice(0, -1), { ended: true })));
    expect(waiting).toMatchObject({ end: null, nextAt: at(SETTLE_MS) });
    const silent = received(read(EXCHANGE));
    expect(plan(silent, SILENT_END_MS).end).toEqual({ isFailure: false, reason: 'silent' });
    expect(plan(silent, 0, [], true)).toMatchObject({ end: null, nextAt: null });
  });

  it('are not stored if they say nothing about the conversation; audio never is', () => {
    const added = EXCHANGE[1] as { item: object };
    const spoken = { ...added, item: { ...added.item, content: [{ type: 'input_audio', audio: 'UklGRg==' }] } };
    const notices = read([spoken, ...EXCHANGE.slice(2)]);
    expect(notices).toHaveLength(4);
    expect(notices.map(({ body }) => new TextDecoder().decode(body ?? undefined)).join()).not.toContain('UklGRg==');
  });

  it('belong to the call of their user in their session, also if others chose the same names', () => {
    const calls = [{}, { actor_id: 'mai' }, { session_id: 'call-2', call_id: 'call-1' }, { call_id: 'sess_1' }].map(
      (more) => read(EXCHANGE, { ended: true, ...more }),
    );
    const keys = calls.flat().map(({ noticeKey }) => noticeKey);
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(calls.flat().map(({ callKey }) => callKey)).size).toBe(calls.length);
    expect(read(EXCHANGE, { call_id: 'call-1', ended: true })).toEqual(read(EXCHANGE, { ended: true }));
  });

  it('are parked if they are not in the documented form', () => {
    const broken = { type: 'conversation.item.done', event_id: 'x', item: 'text' };
    expect(read([broken])).toMatchObject([{ status: 'parked', code: 'notice.unreadable' }]);
    expect(realtimeEvent.safeParse(broken).success).toBe(false);
  });

  it('need the secret as a bearer token', () => {
    const raw = new TextEncoder().encode(JSON.stringify({ actor_id: 'linh', session_id: 'call-1' }));
    const verify = (authorization?: string) =>
      verifyRealtime({ raw, headers: { authorization } }, { secrets: ['', 'a-secret-1'] });
    expect(verify('Bearer a-secret-1')).toMatchObject({ actor_id: 'linh', ended: false });
    for (const wrong of [undefined, '', 'Bearer ', 'Bearer a-secret-2', 'Basic a-secret-1', 'a-secret-1'])
      expect(() => verify(wrong)).toThrow(ConnectorSignatureInvalid);
  });

  it('settle events about unknown items in the end', () => {
    const cut = eventOf({ type: 'conversation.item.truncated', item_id: 'gone', audio_end_ms: 1 }, 'k');
    expect(plan([cut]).settled).toEqual([]);
    expect(plan([cut], SETTLE_MS, [], true).settled).toEqual(['k']);
  });
});
