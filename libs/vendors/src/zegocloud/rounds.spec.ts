import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { joinSentences } from '../shared/join-sentences.js';
import {
  firstZegoUser,
  foldZegoCallbacks,
  settledZegoMessages,
  zegoCallbackKey,
  ZEGO_SETTLE_MS,
  type ZegoCallback,
  type ZegoFact,
  type ZegoMessage,
} from './rounds.js';

// Thousands of cases of calculation only: a busy machine takes longer.
vi.setConfig({ testTimeout: 60_000 });

const START = 1_751_000_000_000;
let sequence = 0;
const callback = (fact: ZegoFact, more: Partial<Pick<ZegoCallback, 'sequence' | 'timestamp'>> = {}): ZegoCallback => ({
  agentInstanceId: '9001',
  sequence: String((sequence += 2)), // the vendor leaves gaps
  timestamp: START + sequence * 100,
  ...more,
  ...fact,
});
const asr = (round: number, text: string, userId: string | null = 'u9'): ZegoFact => ({
  event: 'ASRResult',
  round,
  text,
  userId,
});
const llm = (round: number, text: string): ZegoFact => ({ event: 'LLMResult', round, text });
const cut = (round: number, playedText: string, reason = 1): ZegoFact => ({
  event: 'Interrupted',
  round,
  reason,
  playedText,
});
const fold = (...facts: ZegoFact[]) => foldZegoCallbacks(facts.map((fact) => callback(fact)));
const brief = (messages: ZegoMessage[]) => messages.map(({ round, role, content }) => [round, role, content]);

describe('the callbacks of a call', () => {
  it('become one message for each side of a round', () => {
    expect(
      brief(fold(llm(0, 'Hi, Mai here.'), asr(2, 'Where is it?'), llm(2, 'At the depot.'), llm(2, 'Come by!'))),
    ).toEqual([
      [0, 'assistant', 'Hi, Mai here.'],
      [2, 'user', 'Where is it?'],
      [2, 'assistant', 'At the depot. Come by!'],
    ]);
  });

  it('keep two users in one round apart, in any order of arrival', () => {
    const facts = [
      callback(asr(3, 'I want a refund.', 'ada')),
      callback(asr(3, 'And I moved', 'bob')),
      callback(asr(3, 'For order 7.', 'ada')),
      callback(asr(3, 'to Hue.', 'bob')),
      callback(llm(3, 'One after the other, please.')),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(facts, { minLength: facts.length }), (arrived) => {
        const messages = foldZegoCallbacks(arrived);
        expect(messages.map(({ part, content, metadata }) => [part, content, metadata['user']])).toEqual([
          [0, 'I want a refund. For order 7.', 'ada'],
          [1, 'And I moved to Hue.', 'bob'],
          [0, 'One after the other, please.', undefined],
        ]);
        expect(firstZegoUser(arrived)).toBe('ada');
      }),
    );
  });

  it('record the speaker, the time and what was heard of an interrupted answer', () => {
    const first = callback(asr(5, 'When do you open?'), { timestamp: 1 });
    const facts = [
      callback(llm(5, 'The depot opens at eight.'), { timestamp: 20 }),
      callback(llm(5, 'It closes at six.'), { timestamp: 30 }),
      callback(cut(5, 'The depot opens'), { timestamp: 40 }),
    ];
    expect(foldZegoCallbacks([first, ...facts])).toEqual([
      {
        round: 5,
        role: 'user',
        part: 0,
        content: 'When do you open?',
        timestamp: 1,
        metadata: { source: 'asr', user: 'u9' },
      },
      {
        round: 5,
        role: 'assistant',
        part: 0,
        content: 'The depot opens',
        timestamp: 20,
        metadata: {
          source: 'llm',
          interrupted: true,
          interrupt_timestamp: 40,
          original: 'The depot opens at eight. It closes at six.',
          interrupt_reason: 'user_speech',
        },
      },
    ]);
  });

  it('keep an answer cut before its first word, and drop one that never existed', () => {
    expect(fold(asr(1, 'Hi'), llm(1, 'Hello!'), cut(1, '', 4))).toMatchObject([
      { content: 'Hi' },
      { content: '', metadata: { original: 'Hello!', interrupt_reason: 'interrupt_api' } },
    ]);
    expect(brief(fold(asr(1, 'Hi'), cut(1, '')))).toEqual([[1, 'user', 'Hi']]);
    expect(brief(fold(cut(1, 'Hel', 9)))).toEqual([[1, 'assistant', 'Hel']]);
    expect(fold(cut(1, 'Hel', 9))[0]?.metadata).not.toHaveProperty('original');
    expect(fold(asr(1, ''), llm(1, ''))).toEqual([]);
  });

  it('are ordered by sequence, whatever their timestamps', () => {
    const at = (sequence: number, timestamp: number, text: string) =>
      callback(llm(1, text), { sequence: String(sequence), timestamp });
    expect(brief(foldZegoCallbacks([at(9, 1, 'c'), at(4, 2, 'b'), at(1, 3, 'a')]))).toEqual([
      [1, 'assistant', 'a b c'],
    ]);
  });

  it('are ordered by timestamp if one has no sequence', () => {
    const at = (timestamp: number, text: string, seq: string | null) =>
      callback(llm(1, text), { timestamp, sequence: seq });
    expect(brief(foldZegoCallbacks([at(3, 'c', '1'), at(1, 'a', null), at(2, 'b', '9')]))).toEqual([
      [1, 'assistant', 'a b c'],
    ]);
  });

  it('are deduplicated, even if a retry has another timestamp', () => {
    const one = callback(llm(1, 'No.'), { sequence: '7' });
    const repeat = { ...one, timestamp: one.timestamp + 2_000 };
    const bare = callback(llm(2, 'Yes.'), { sequence: null });
    const bareRepeat = { ...bare, timestamp: bare.timestamp + 2_000 };
    const folded = foldZegoCallbacks([repeat, one, bareRepeat, bare]);
    expect(brief(folded)).toEqual([
      [1, 'assistant', 'No.'],
      [2, 'assistant', 'Yes.'],
    ]);
    expect(folded.map((message) => message.timestamp)).toEqual([one.timestamp, bare.timestamp]);
    expect(brief(foldZegoCallbacks([callback(llm(1, 'No.')), callback(llm(1, 'No.'))]))).toEqual([
      [1, 'assistant', 'No. No.'],
    ]);
  });

  it('of another instance, event, round or text have another key', () => {
    const base = callback(asr(1, 'a'), { sequence: null });
    const others: ZegoCallback[] = [
      { ...base, agentInstanceId: '9002' },
      callback(llm(1, 'a'), { sequence: null }),
      callback(asr(2, 'a'), { sequence: null }),
      callback(asr(1, 'b'), { sequence: null }),
      callback(cut(1, 'a'), { sequence: null }),
      callback(cut(1, 'a', 2), { sequence: null }),
      callback(asr(1, 'a'), { sequence: '1' }),
      callback(asr(1, 'a'), { sequence: '2' }),
      callback(asr(1, 'a'), { sequence: '8823141512340984512' }),
      callback(asr(1, 'a'), { sequence: '8823141512340984513' }),
    ];
    expect(new Set([base, ...others].map(zegoCallbackKey)).size).toBe(11);
  });
});

describe('sequences beyond 2^53', () => {
  it('order the sentences of a round', () => {
    const [one, two] = ['8823141512340984512', '8823141512340984513'];
    const facts = [callback(llm(1, 'b'), { sequence: two, timestamp: 1 }), callback(llm(1, 'a'), { sequence: one })];
    expect(brief(foldZegoCallbacks(facts))).toEqual([[1, 'assistant', 'a b']]);
  });
});

describe('a call of thirty rounds with interruptions', () => {
  /** Round numbers increase with gaps; each third answer is cut after its first sentence. */
  const callbacks: ZegoCallback[] = [];
  const expected: unknown[] = [];
  for (let n = 1; n <= 30; n += 1) {
    const round = n * 3 + (n % 3);
    const sentences = Array.from({ length: (n % 4) + 1 }, (_, i) => `Answer ${n}, part ${i + 1}.`);
    callbacks.push(callback(asr(round, `Question ${n}?`)), ...sentences.map((text) => callback(llm(round, text))));
    expected.push([round, 'user', `Question ${n}?`]);
    if (n % 3 === 0) callbacks.push(callback(cut(round, `Answer ${n}`)));
    expected.push([round, 'assistant', n % 3 === 0 ? `Answer ${n}` : sentences.join(' ')]);
  }
  const shuffledWithRepeats = fc
    .tuple(fc.shuffledSubarray(callbacks), fc.shuffledSubarray(callbacks, { minLength: callbacks.length }))
    .map(([repeats, all]) => [...repeats.map((one) => ({ ...one, timestamp: one.timestamp + 4_000 })), ...all]);

  it('gives the expected messages', () => expect(brief(foldZegoCallbacks(callbacks))).toEqual(expected));

  it('gives the same messages in any order and with any duplicates', () => {
    const inOrder = foldZegoCallbacks(callbacks);
    fc.assert(
      fc.property(shuffledWithRepeats, (arrived) => {
        expect(foldZegoCallbacks(arrived)).toEqual(inOrder);
      }),
    );
  });

  it('gives the same messages in any order without sequences', () => {
    const bare = callbacks.map((one) => ({ ...one, sequence: null }));
    fc.assert(
      fc.property(fc.shuffledSubarray(bare, { minLength: bare.length }), (arrived) => {
        expect(brief(foldZegoCallbacks(arrived))).toEqual(expected);
      }),
    );
  });

  it('settles round by round, and settled rounds never change', () => {
    // Each callback arrives within the vendor's retries (62 s), in any order.
    const delays = fc.array(fc.nat({ max: 62_000 }), { minLength: callbacks.length, maxLength: callbacks.length });
    const settleAll = (arrived: (ZegoCallback & { receivedAt: Date })[], now: number, endedAt: Date | null) =>
      settledZegoMessages(
        arrived.filter(({ receivedAt }) => receivedAt.getTime() <= now),
        { now: new Date(now), endedAt: endedAt !== null && endedAt.getTime() <= now ? endedAt : null },
      );
    fc.assert(
      fc.property(delays, (late) => {
        const arrived = callbacks.map((one, i) => ({
          ...one,
          timestamp: START + i * 3_000,
          receivedAt: new Date(START + i * 3_000 + late[i]!),
        }));
        const whole = foldZegoCallbacks(arrived);
        const endedAt = new Date(START + callbacks.length * 3_000);
        for (let now = START; now <= endedAt.getTime() + ZEGO_SETTLE_MS; now += 20_000) {
          const settled = settleAll(arrived, now, endedAt);
          expect(settled).toEqual(whole.slice(0, settled.length));
        }
        expect(settleAll(arrived, endedAt.getTime() + ZEGO_SETTLE_MS, endedAt)).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  });

  it('keeps its last round open until the call has ended', () => {
    const arrived = callbacks.map((one) => ({ ...one, receivedAt: new Date(START) }));
    const at = (ms: number, endedAt: Date | null) =>
      settledZegoMessages(arrived, { now: new Date(START + ms), endedAt }).length;
    expect(at(ZEGO_SETTLE_MS - 1, null)).toBe(0);
    expect(at(ZEGO_SETTLE_MS, null)).toBe(58);
    expect(at(1e12, null)).toBe(58);
    expect(at(ZEGO_SETTLE_MS, new Date(START))).toBe(60);
  });
});

describe('joining sentences', () => {
  it.each([
    [['One.', 'Two.'], 'One. Two.'],
    [['One. ', 'Two.', '\nThree.'], 'One. Two.\nThree.'],
    [['你好。', '包裹到了。'], '你好。包裹到了。'],
    [['そうです', 'はい'], 'そうですはい'],
    [['안녕하세요.', '네.'], '안녕하세요. 네.'],
    [['', 'a', '', 'b', ''], 'a b'],
    [[], ''],
  ])('%j become %j', (sentences, text) => expect(joinSentences(sentences)).toBe(text));
});
