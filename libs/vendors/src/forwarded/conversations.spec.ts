import type { Ids, ReadNotice } from '@turnkeeper/application';
import type { Json, MessageAppended } from '@turnkeeper/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planLivekitCall, LIVEKIT_LEFT_MS, LIVEKIT_ORDER_MS } from '../livekit/conversation.js';
import { livekit } from '../livekit/index.js';
import { livekitEvent } from '../livekit/shapes.js';
import { planPipecatCall } from '../pipecat/conversation.js';
import { pipecat } from '../pipecat/index.js';
import { pipecatBody, pipecatEvent } from '../pipecat/shapes.js';
import { SETTLE_MS, SILENT_END_MS, type CallPlan, type CallState, type Received } from './plan.js';
import { forwardedBody, forwardedNotice } from './shapes.js';

const START = 1_767_225_600_000;
const SECOND = START / 1_000;
const at = (ms: number): Date => new Date(START + ms);
const ids = { next: () => '', derive: (...parts: unknown[]) => JSON.stringify(parts) } as unknown as Ids;

/** A platform as its calls are folded, without a database. */
interface Platform<Event> {
  read(body: object): readonly ReadNotice[];
  eventOf(stored: unknown): Event;
  plan(events: readonly Received<Event>[], state: CallState): CallPlan;
}
const ofLivekit: Platform<never> = {
  read: (body) => livekit.connector.read(forwardedBody.parse(body), { ids }),
  eventOf: (stored) => forwardedNotice(livekitEvent).parse(stored).event as never,
  plan: planLivekitCall,
};
const ofPipecat: Platform<never> = {
  read: (body) => pipecat.connector.read(pipecatBody.parse(body), { ids }),
  eventOf: (stored) => forwardedNotice(pipecatEvent).parse(stored).event as never,
  plan: planPipecatCall,
};

/** A call that gets requests, and is folded whenever it is due. */
const callOn = ({ read, eventOf, plan }: Platform<never>) => {
  const pending = new Map<string, Received<never>>();
  const seen = new Set<string>();
  const stored: { readonly itemId: string; readonly message: MessageAppended }[] = [];
  let end: CallPlan['end'] = null;
  let isClosed = false;
  const fold = (ms: number): CallPlan => {
    const planned = plan([...pending.values()], {
      now: at(ms),
      stored: (itemId) => stored.some((one) => one.itemId === itemId),
      held: stored.map(({ message }): { readonly [key: string]: Json } => message.metadata ?? {}),
      isClosed,
    });
    stored.push(...planned.messages);
    for (const key of planned.settled) pending.delete(key);
    if (planned.end !== null && planned.isEmpty !== true) [end, isClosed] = [planned.end, true];
    return planned;
  };
  return {
    receive: (body: object, ms = 0): CallPlan => {
      for (const { noticeKey, body: bytes } of read({ actor_id: 'linh', session_id: 'room-1', ...body })) {
        if (seen.has(noticeKey)) continue;
        seen.add(noticeKey);
        const event = eventOf(JSON.parse(new TextDecoder().decode(bytes ?? undefined)));
        pending.set(noticeKey, { key: noticeKey, receivedAt: at(ms), event });
      }
      return fold(ms);
    },
    fold,
    said: () =>
      stored.map(({ message: { role, content, toolCalls, metadata = {} } }) =>
        [
          `${role}: ${toolCalls === undefined ? content : JSON.stringify(toolCalls[0]?.['function'])}`,
          ...(metadata['interrupted'] === true ? ['interrupted'] : []),
          ...(metadata['late'] === true ? ['late'] : []),
        ].join(' / '),
      ),
    pending: () => pending.size,
    end: () => end,
  };
};

/** The same messages, however the events are divided into requests, whatever is sent again, in whatever order they arrive. */
const expectTheSame = (
  platform: Platform<never>,
  requestsOf: (cuts: readonly number[]) => readonly object[],
  length: number,
  expected: readonly string[],
): void => {
  const division = fc.uniqueArray(fc.integer({ min: 1, max: length - 1 }), { maxLength: 6 });
  fc.assert(
    fc.property(division, fc.infiniteStream(fc.nat()), fc.boolean(), (cuts, numbers, repeats) => {
      const requests = requestsOf(cuts.toSorted((a, b) => a - b));
      const shuffled = [...requests, ...(repeats ? requests : [])]
        .map((body) => ({ body, place: numbers.next().value as number }))
        .toSorted((a, b) => a.place - b.place);
      const call = callOn(platform);
      for (const { body } of shuffled) call.receive(body, 10);
      call.fold(LIVEKIT_ORDER_MS + 20);
      call.receive({ ...requestsOf([]).at(-1), events: [], ended: true }, LIVEKIT_ORDER_MS + 30);
      expect(call.said()).toEqual(expected);
      expect(call.end()).toEqual({ isFailure: false, reason: 'requested' });
      expect(call.pending()).toBe(0);
    }),
  );
};

const dividedAt = <T>(events: readonly T[], cuts: readonly number[]): T[][] =>
  [0, ...cuts].map((from, index) => events.slice(from, cuts[index] ?? events.length));

const item = (id: string, role: string, content: readonly unknown[], seconds: number, more: object = {}) => ({
  type: 'conversation_item_added',
  item: { id, type: 'message', role, content, interrupted: false, created_at: SECOND + seconds, ...more },
  created_at: SECOND + seconds + 0.5,
});
const transcribed = (transcript: string, seconds: number, is_final = true) => ({
  type: 'user_input_transcribed',
  transcript,
  is_final,
  created_at: SECOND + seconds,
});
/** As `model_dump()` of livekit-agents writes them. */
const LIVEKIT: readonly object[] = [
  { type: 'agent_state_changed', old_state: 'initializing', new_state: 'listening', created_at: SECOND },
  transcribed('When does', 1, false),
  transcribed('When does the pool open?', 2),
  item('item_1', 'user', ['When does the pool open?'], 2, { transcript_confidence: 0.9 }),
  {
    type: 'function_tools_executed',
    function_calls: [
      { id: 'item_2', call_id: 'c1', name: 'hours', arguments: '{"of":"pool"}', created_at: SECOND + 3 },
    ],
    function_call_outputs: [
      { id: 'item_3', call_id: 'c1', name: 'hours', output: '7 to 21', is_error: false, created_at: SECOND + 4 },
    ],
    created_at: SECOND + 4,
  },
  // Reported after the words that interrupted it.
  { ...item('item_4', 'assistant', ['At seven, and it'], 5, { interrupted: true }), created_at: SECOND + 6.9 },
  transcribed('And the sauna?', 6),
  item('item_5', 'user', ['And the sauna?'], 6),
  { type: 'conversation_item_added', item: { id: 'item_6', type: 'agent_handoff', new_agent_id: 'b' } },
  item('item_7', 'system', ['Be brief.'], 7),
];
const SAID_ON_LIVEKIT = [
  'user: When does the pool open?',
  'assistant: {"name":"hours","arguments":"{\\"of\\":\\"pool\\"}"}',
  'tool: 7 to 21',
  'assistant: At seven, and it / interrupted',
  'user: And the sauna?',
];

describe("LiveKit's events", () => {
  it('become the same messages in any order, in any number of requests and folds, and with any repeats', () => {
    const requestsOf = (cuts: readonly number[]) => dividedAt(LIVEKIT, cuts).map((events) => ({ events }));
    expectTheSame(ofLivekit, requestsOf, LIVEKIT.length, SAID_ON_LIVEKIT);
  });

  it('have the fields of Node or of Python', () => {
    const call = callOn(ofLivekit);
    const spelled = JSON.stringify(LIVEKIT).replaceAll(/(?<=")[a-z]+(?:_[a-z]+)+(?=":)/g, (name) =>
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    );
    expect(spelled).toContain('functionCallOutputs');
    call.receive({ events: JSON.parse(spelled) as object[], ended: true });
    expect(call.said()).toEqual(SAID_ON_LIVEKIT);
  });

  it('keep the words of a user who hung up before LiveKit made an item of them', () => {
    const call = callOn(ofLivekit);
    call.receive({ events: LIVEKIT });
    const events = [transcribed('Never mind.', 8), transcribed('Goodbye.', 9), transcribed('Good', 9.5, false)];
    call.receive({ events }, 5_000);
    expect(call.said()).toEqual(SAID_ON_LIVEKIT);
    call.receive({ events: [{ type: 'close', reason: 'participant_disconnected', created_at: SECOND + 10 }] }, 6_000);
    expect(call.said()).toEqual([...SAID_ON_LIVEKIT, 'user: Never mind. Goodbye.']);
    expect(call.end()).toEqual({ isFailure: false, reason: 'participant_disconnected' });
  });

  it('store no words twice whose transcript comes after they are stored', () => {
    const call = callOn(ofLivekit);
    call.receive({ events: [item('item_1', 'user', ['When does the pool open?'], 2)] });
    call.fold(LIVEKIT_ORDER_MS);
    call.receive({ events: [item('item_2', 'assistant', ['At seven.'], 5)] }, 4_000);
    call.fold(8_000);
    call.receive({ events: [transcribed('When does the pool open?', 2)], ended: true }, 9_000);
    expect(call.said()).toEqual(['user: When does the pool open?', 'assistant: At seven.']);
  });

  it('end with the session, with an error, or a while after the participant left', () => {
    const failed = callOn(ofLivekit);
    failed.receive({ events: [{ type: 'close', reason: 'error', error: { type: 'llm_error' } }] });
    expect(failed.end()).toEqual({ isFailure: true, reason: 'error' });

    const left = callOn(ofLivekit);
    left.receive({ events: LIVEKIT });
    expect(left.receive({ events: [{ type: 'participant_left' }] }, 3_000)).toMatchObject({
      end: null,
      nextAt: at(3_000 + LIVEKIT_LEFT_MS),
    });
    left.fold(3_000 + LIVEKIT_LEFT_MS);
    expect(left.end()).toEqual({ isFailure: false, reason: 'participant_left' });

    const silent = callOn(ofLivekit);
    silent.receive({ events: LIVEKIT });
    expect(silent.fold(SILENT_END_MS).end).toEqual({ isFailure: false, reason: 'silent' });
  });

  it('start no agent for a participant of a room without one', () => {
    const call = callOn(ofLivekit);
    expect(call.receive({ events: [{ type: 'participant_left' }] })).toMatchObject({ isEmpty: true });
    expect(call.fold(LIVEKIT_LEFT_MS)).toMatchObject({ isEmpty: true, nextAt: null });
    expect([call.pending(), call.said()]).toEqual([0, []]);
  });

  it('are parked if they are not in the documented form', () => {
    const broken = { type: 'conversation_item_added', item: { type: 'message', role: 'user', content: 'text' } };
    expect(ofLivekit.read({ actor_id: 'linh', session_id: 'room-1', events: [broken] })).toMatchObject([
      { status: 'parked', code: 'notice.unreadable' },
    ]);
  });
});

const rtvi = (type: string, data?: object) => ({ label: 'rtvi-ai', type, ...(data === undefined ? {} : { data }) });
const heard = (...texts: readonly string[]) => texts.map((text) => rtvi('bot-tts-text', { text }));
const asked = (text: string, final = true) =>
  rtvi('user-transcription', { text, user_id: '', timestamp: '2026-01-01T00:00:02.000+00:00', final });
const segment = (segment_id: number, spoken_status: string, accumulated_text: string, text: string) =>
  rtvi('bot-output', {
    ...{ text, segment_id, spoken_status, will_be_spoken: true, aggregated_by: 'sentence' },
    spoken_progress: { accumulated_text, remaining_text: '' },
  });
/** As Pipecat's observer writes them, with all words of the answers. */
const PIPECAT: readonly object[] = [
  rtvi('bot-ready', { version: '2.0.0' }),
  rtvi('user-started-speaking'),
  asked('When does', false),
  asked('When does the pool open?'),
  asked('And the sauna?'),
  rtvi('user-stopped-speaking'),
  rtvi('bot-llm-started'),
  rtvi('llm-function-call-in-progress', { tool_call_id: 'c1', function_name: 'hours', arguments: { of: 'pool' } }),
  rtvi('bot-llm-text', { text: 'One moment.' }),
  rtvi('bot-started-speaking'),
  ...heard('One', 'moment.'),
  rtvi('bot-stopped-speaking'),
  rtvi('llm-function-call-stopped', { tool_call_id: 'c1', cancelled: false, result: { opens: 7 } }),
  rtvi('bot-llm-started'),
  rtvi('bot-llm-text', { text: 'At seven, and it costs 38 euros.' }),
  rtvi('bot-transcription', { text: 'At seven, and it costs 38 euros.' }),
  rtvi('bot-started-speaking'),
  ...heard('At', 'seven,'),
  rtvi('user-started-speaking'),
  rtvi('bot-interrupted'),
  rtvi('bot-stopped-speaking'),
  asked('Thanks.'),
  rtvi('user-stopped-speaking'),
];
const SAID_ON_PIPECAT = [
  'user: When does the pool open? And the sauna?',
  'assistant: {"name":"hours","arguments":"{\\"of\\":\\"pool\\"}"}',
  'tool: {"opens":7}',
  'assistant: One moment.',
  'assistant: At seven, / interrupted',
  'user: Thanks.',
];

describe("Pipecat's messages", () => {
  it('become the same messages in any order, in any number of requests and folds, and with any repeats', () => {
    const requestsOf = (cuts: readonly number[]) => [
      ...dividedAt(PIPECAT, cuts).map((events, index) => ({ position: [0, ...cuts][index], events })),
      { position: PIPECAT.length, events: [] },
    ];
    expectTheSame(ofPipecat, requestsOf, PIPECAT.length, SAID_ON_PIPECAT);
  });

  it('are made once if a sender divides what it repeats otherwise', () => {
    const call = callOn(ofPipecat);
    call.receive({ position: 0, events: PIPECAT.slice(0, 13) });
    call.receive({ position: 5, events: PIPECAT.slice(5, 24) }, 1_000);
    call.receive({ position: 0, events: PIPECAT, ended: true }, 2_000);
    expect(call.said()).toEqual(SAID_ON_PIPECAT);
  });

  it('wait for what is missing between them, and are stored without it in the end', () => {
    const call = callOn(ofPipecat);
    call.receive({ position: 0, events: PIPECAT.slice(0, 8) });
    expect(call.receive({ position: 13, events: PIPECAT.slice(13) }, 1_000)).toMatchObject({
      nextAt: at(1_000 + SETTLE_MS),
    });
    expect(call.said()).toEqual(SAID_ON_PIPECAT.slice(0, 1));
    call.fold(1_000 + SETTLE_MS);
    expect(call.said()).toEqual(SAID_ON_PIPECAT.toSpliced(3, 1));
    call.receive({ position: 8, events: PIPECAT.slice(8, 13), ended: true }, 2_000 + SETTLE_MS);
    expect(call.said().at(-1)).toBe('assistant: One moment. / late');
  });

  it('are what was spoken of the segments, in version 2, or what was written if nothing is spoken', () => {
    const saidAfter = (...events: readonly object[]) => {
      const call = callOn(ofPipecat);
      call.receive({ position: 0, events, ended: true });
      return call.said();
    };
    expect(
      saidAfter(
        segment(1, 'new', '', 'At seven.'),
        segment(1, 'completed', 'At seven.', 'At seven.'),
        segment(2, 'in-progress', 'It costs', 'It costs 38 euros.'),
        rtvi('bot-interrupted'),
      ),
    ).toEqual(['assistant: At seven. It costs / interrupted']);
    expect(saidAfter(rtvi('bot-output', { text: 'Hi.', spoken: true, aggregated_by: 'sentence' }))).toEqual([
      'assistant: Hi.',
    ]);
    const written = [rtvi('bot-llm-text', { text: 'At ' }), rtvi('bot-llm-text', { text: 'seven.' })];
    expect(saidAfter(...written)).toEqual(['assistant: At seven.']);
    expect(saidAfter(...written, rtvi('bot-interrupted'))).toEqual([]);
  });

  it('have times in the order of the conversation, whatever the clock of the platform says', () => {
    const call = callOn(ofPipecat);
    call.receive({ position: 0, events: PIPECAT.slice(0, 4) }, 50);
    const { messages } = call.receive({ position: 4, events: PIPECAT.slice(4), ended: true }, 90);
    expect(messages.map(({ saidAt }) => saidAt)).toEqual([50, 90, 90, 90, 90, 90].map((ms) => at(ms).toISOString()));
    expect(messages[0]?.message.timestamp).toBe(START + 2_000);
  });

  it('need their position', () => {
    expect(pipecatBody.safeParse({ actor_id: 'linh', session_id: 'room-1', events: [] }).error?.issues).toMatchObject([
      { path: ['position'] },
    ]);
  });
});
