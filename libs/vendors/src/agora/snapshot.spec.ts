import fc from 'fast-check';
import type { MessageAppended } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import { alignSnapshot, isSameMessage } from './snapshot.js';

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
  it('adds all of it to an empty session', () => expect(newOf([], talk('a', 'b'))).toEqual(['a', 'b']));

  it('adds what follows the overlap, and keeps an older head', () => {
    expect(alignSnapshot(talk('a', 'b', 'c'), talk('b', 'c', 'd', 'e'))).toEqual({
      newMessages: talk('d', 'e'),
      overlap: 2,
      unplaced: 0,
      cuts: [],
    });
  });

  it('adds nothing if it is a duplicate, late, or shorter than what is stored', () => {
    const held = talk('a', 'b', 'c', 'd');
    for (const snapshot of [held, talk('b', 'c', 'd'), talk('b', 'c'), talk('d'), talk('a'), []]) {
      expect(newOf(held, snapshot)).toEqual([]);
    }
  });

  it('adds all of it if the conversation has moved on by more than a window', () => {
    expect(newOf(talk('a', 'b'), talk('x', 'y'))).toEqual(['x', 'y']);
  });

  it('finds the longest overlap if sentences recur', () => {
    expect(newOf(talk('yes', 'no', 'yes'), talk('yes', 'no', 'yes', 'no'))).toEqual(['no']);
    expect(newOf(talk('hm', 'hm'), talk('hm', 'hm', 'hm'))).toEqual(['hm']);
    expect(newOf(talk('hello', 'yes'), talk('yes', 'fine', 'yes'))).toEqual(['fine', 'yes']);
  });

  it('is not misled by a single matching sentence in the middle', () => {
    expect(newOf(talk('a', 'yes', 'b'), talk('x', 'yes', 'y'))).toEqual(['x', 'yes', 'y']);
    expect(newOf(talk('yes', 'b'), talk('x', 'y', 'yes'))).toEqual(['x', 'y', 'yes']);
  });

  it('leaves out messages older than the stored ones, and counts them', () => {
    expect(alignSnapshot(talk('b', 'c'), talk('a', 'b', 'c', 'd'))).toEqual({
      newMessages: talk('d'),
      overlap: 2,
      unplaced: 1,
      cuts: [],
    });
  });

  it('distinguishes recurring sentences by their turn, if both sides have one', () => {
    const yes = (turnId?: number) => said('yes', turnId === undefined ? {} : { turnId });
    expect(newOf([yes(4)], [yes(9), said('bye')])).toEqual(['yes', 'bye']);
    expect(newOf([yes(4)], [yes(4), said('bye')])).toEqual(['bye']);
    expect(newOf([yes(4)], [yes(), said('bye')])).toEqual(['bye']);
  });

  it('leaves out a late snapshot whose turns are older than what is stored', () => {
    const turn = (turnId: number) => said('yes', { turnId });
    expect(alignSnapshot([turn(8)], [turn(5), turn(6)])).toEqual({
      newMessages: [],
      overlap: 0,
      unplaced: 2,
      cuts: [],
    });
    expect(newOf([turn(5), turn(9)], [turn(7), turn(8), turn(9), turn(10)])).toEqual(['yes']);
  });

  describe('recognises a message that was cut short after it was read', () => {
    const whole = 'Your parcel is at the depot.';
    const assistant = (content: string, metadata?: MessageAppended['metadata']) =>
      said(content, { role: 'assistant', ...(metadata === undefined ? {} : { metadata }) });
    const cut = (content: string) =>
      assistant(content, { interrupted: true, interrupt_timestamp: 1_751_000_006, original: whole });
    const question = said('Where is it?');

    it('and reports what was heard of it', () => {
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

    it('and reports nothing if it is already stored as cut, or was never cut', () => {
      expect(alignSnapshot([question, cut('Your')], [question, cut('Your')]).cuts).toEqual([]);
      expect(alignSnapshot([question, cut('Your')], [question, assistant(whole)]).cuts).toEqual([]);
      expect(alignSnapshot([question], [cut('Your')]).cuts).toEqual([]);
    });

    it('by its full text, not by a part of it', () => {
      expect(isSameMessage(cut('Your parcel is'), assistant(whole))).toBe(true);
      expect(isSameMessage(cut('Your'), cut('parcel'))).toBe(true);
      expect(isSameMessage(cut('Your'), assistant('parcel'))).toBe(false);
      expect(isSameMessage(assistant('x'), assistant('y'))).toBe(false);
    });
  });

  it('does not match messages with different roles', () => {
    expect(newOf([said('yes')], [said('yes', { role: 'assistant' })])).toEqual(['yes']);
  });
});

describe('a session built from snapshots of a sliding window', () => {
  /** A conversation with recurring sentences, the window size, and the times of the snapshots. */
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

  it('adds nothing for a duplicate snapshot, however sentences recur', () => {
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

  it('has each message once and in order if turns are given, with duplicate, late or short snapshots', () => {
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

  it('has the whole conversation if consecutive snapshots overlap in different sentences', () => {
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
