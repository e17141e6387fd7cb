import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessageAppended } from '../session/session-events.js';
import { alignSnapshot, isSameMessage } from './agora-snapshot.js';

const said = (content: string, more: Partial<MessageAppended> = {}): MessageAppended => ({
  payloadType: 'CONVERSATIONAL',
  role: 'user',
  content,
  ...more,
});
const talk = (...contents: string[]) => contents.map((content) => said(content));
const newOf = (held: MessageAppended[], snapshot: MessageAppended[]) =>
  alignSnapshot(held, snapshot).newMessages.map((message) => message.content);

describe('aligning a snapshot', () => {
  it('takes all of it into an empty session', () => expect(newOf([], talk('a', 'b'))).toEqual(['a', 'b']));

  it('takes what follows the overlap, and keeps an older head', () => {
    expect(alignSnapshot(talk('a', 'b', 'c'), talk('b', 'c', 'd', 'e'))).toEqual({
      newMessages: talk('d', 'e'),
      overlap: 2,
      unplaced: 0,
      cuts: [],
    });
  });

  it('takes nothing when it comes again, is late, or is shorter than what is held', () => {
    const held = talk('a', 'b', 'c', 'd');
    for (const snapshot of [held, talk('b', 'c', 'd'), talk('b', 'c'), talk('d'), talk('a'), []]) {
      expect(newOf(held, snapshot)).toEqual([]);
    }
  });

  it('takes all of it when the conversation has moved on by more than a window', () => {
    expect(newOf(talk('a', 'b'), talk('x', 'y'))).toEqual(['x', 'y']);
  });

  it('finds the longest overlap where sentences recur', () => {
    expect(newOf(talk('yes', 'no', 'yes'), talk('yes', 'no', 'yes', 'no'))).toEqual(['no']);
    expect(newOf(talk('hm', 'hm'), talk('hm', 'hm', 'hm'))).toEqual(['hm']);
    expect(newOf(talk('hello', 'yes'), talk('yes', 'fine', 'yes'))).toEqual(['fine', 'yes']);
  });

  it('is not misled by a single like sentence in the middle', () => {
    expect(newOf(talk('a', 'yes', 'b'), talk('x', 'yes', 'y'))).toEqual(['x', 'yes', 'y']);
    expect(newOf(talk('yes', 'b'), talk('x', 'y', 'yes'))).toEqual(['x', 'y', 'yes']);
  });

  it('leaves out what came before all that is held, and says how much', () => {
    expect(alignSnapshot(talk('b', 'c'), talk('a', 'b', 'c', 'd'))).toEqual({
      newMessages: talk('d'),
      overlap: 2,
      unplaced: 1,
      cuts: [],
    });
  });

  it('tells recurring sentences apart by their turn, where both sides name it', () => {
    const yes = (turnId?: number) => said('yes', turnId === undefined ? {} : { turnId });
    expect(newOf([yes(4)], [yes(9), said('bye')])).toEqual(['yes', 'bye']);
    expect(newOf([yes(4)], [yes(4), said('bye')])).toEqual(['bye']);
    expect(newOf([yes(4)], [yes(), said('bye')])).toEqual(['bye']);
  });

  it('leaves out a late snapshot whose turns are older than what is held', () => {
    const turn = (turnId: number) => said('yes', { turnId });
    expect(alignSnapshot([turn(8)], [turn(5), turn(6)])).toEqual({
      newMessages: [],
      overlap: 0,
      unplaced: 2,
      cuts: [],
    });
    expect(newOf([turn(5), turn(9)], [turn(7), turn(8), turn(9), turn(10)])).toEqual(['yes']);
  });

  describe('knows a message again that was cut short after it was pulled', () => {
    const whole = 'Your parcel is at the depot.';
    const assistant = (content: string, metadata?: MessageAppended['metadata']) =>
      said(content, { role: 'assistant', ...(metadata === undefined ? {} : { metadata }) });
    const cut = (content: string) =>
      assistant(content, { interrupted: true, interrupt_timestamp: 1_751_000_006, original: whole });
    const question = said('Where is it?');

    it('and says what was heard of it', () => {
      expect(alignSnapshot([question, assistant(whole)], [question, cut('Your parcel'), said('Which depot?')])).toEqual(
        {
          newMessages: talk('Which depot?'),
          overlap: 2,
          unplaced: 0,
          cuts: [{ heldIndex: 1, heard: 'Your parcel', interruptTimestamp: 1_751_000_006 }],
        },
      );
      expect(alignSnapshot([assistant('older'), assistant(whole)], [cut(''), question]).cuts).toMatchObject([
        { heldIndex: 1, heard: '' },
      ]);
    });

    it('and says nothing once it is held so, or was never cut', () => {
      expect(alignSnapshot([question, cut('Your')], [question, cut('Your')]).cuts).toEqual([]);
      expect(alignSnapshot([question, cut('Your')], [question, assistant(whole)]).cuts).toEqual([]);
      expect(alignSnapshot([question], [cut('Your')]).cuts).toEqual([]);
    });

    it('by its whole, not by its part', () => {
      expect(isSameMessage(cut('Your parcel is'), assistant(whole))).toBe(true);
      expect(isSameMessage(cut('Your'), cut('parcel'))).toBe(true);
      expect(isSameMessage(cut('Your'), assistant('parcel'))).toBe(false);
      expect(isSameMessage(assistant('x'), assistant('y'))).toBe(false);
    });
  });

  it('does not take a role for another', () => {
    expect(newOf([said('yes')], [said('yes', { role: 'assistant' })])).toEqual(['yes']);
  });
});

describe('a session fed by snapshots of a sliding window', () => {
  /** A conversation in which sentences recur, the size of the window, and when it was looked at. */
  const scenario = fc.record({
    conversation: fc.array(fc.constantFrom('yes', 'no', 'hm', 'hello', 'bye'), { minLength: 1, maxLength: 40 }),
    looks: fc.array(fc.record({ at: fc.nat({ max: 40 }), window: fc.integer({ min: 1, max: 20 }) }), { maxLength: 12 }),
  });
  const windowOf = (all: MessageAppended[], { at, window }: { at: number; window: number }) => {
    const end = Math.min(at, all.length);
    return all.slice(Math.max(0, end - window), end);
  };
  const feed = (held: MessageAppended[], snapshot: MessageAppended[]) => [
    ...held,
    ...alignSnapshot(held, snapshot).newMessages,
  ];

  it('adds nothing for a snapshot that it has taken, however sentences recur', () => {
    fc.assert(
      fc.property(scenario, ({ conversation, looks }) => {
        const all = talk(...conversation);
        let held: MessageAppended[] = [];
        for (const look of looks) {
          const snapshot = windowOf(all, look);
          const before = held;
          held = feed(held, snapshot);
          expect(held.slice(0, before.length)).toEqual(before);
          expect(feed(held, snapshot)).toEqual(held);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('holds each message once and in order when turns are named, whatever comes twice, late or short', () => {
    fc.assert(
      fc.property(scenario, ({ conversation, looks }) => {
        const all = conversation.map((content, turnId) => said(content, { turnId }));
        let held: MessageAppended[] = [];
        let newest = 0;
        for (const look of looks) {
          held = feed(held, windowOf(all, look));
          newest = Math.max(newest, Math.min(look.at, all.length));
        }
        const last = windowOf(all, { at: newest, window: 20 });
        const turns = feed(held, last).map((message) => message.turnId!);
        expect(turns).toEqual([...new Set(turns)].sort((a, b) => a - b));
        expect(turns.at(-1)).toBe(last.at(-1)?.turnId);
      }),
      { numRuns: 1_000 },
    );
  });

  it('holds the whole conversation when each look overlaps with the one before in different sentences', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 2, max: 20 }),
        fc.nat(),
        (length, window, seed) => {
          const all = talk(...Array.from({ length }, (_, i) => `sentence ${i}`));
          let held: MessageAppended[] = [];
          for (let at = 0; at < length + window; at += 1 + (seed % (window - 1))) {
            const snapshot = windowOf(all, { at, window });
            held = feed(feed(held, snapshot), snapshot.slice(1));
          }
          held = feed(held, windowOf(all, { at: length, window }));
          expect(held).toEqual(all);
        },
      ),
    );
  });
});
