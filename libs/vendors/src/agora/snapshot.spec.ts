import fc from 'fast-check';
import type { MessageAppended } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import { mergeSnapshots, type Snapshot, type StoredMessage } from './merge-snapshots.js';
import { isSameMessage } from './snapshot.js';

const said = (content: string, more: Partial<MessageAppended> = {}): MessageAppended => ({
  payloadType: 'CONVERSATIONAL',
  role: 'user',
  content,
  ...more,
});
const talk = (...contents: string[]) => contents.map((content) => said(content));
let ids = 0;
const stored = (data: MessageAppended): StoredMessage => ({ eventId: `e${(ids += 1)}`, data });
type Contents = readonly MessageAppended[];

/** What a log holds after folds of several snapshots each; while a call runs, the earlier ones are known. */
const logAfterFolds = (log: readonly StoredMessage[], folds: readonly (readonly Contents[])[]): StoredMessage[] => {
  let known: Snapshot[] = [];
  let held = [...log];
  for (const fold of folds) {
    known.push(...fold.map((messages) => ({ key: `s${(ids += 1)}`, isApplied: false, messages })));
    const merged = mergeSnapshots(held, known, (key, index) => `${key}/${index}`);
    known = known.map((snapshot) => ({ ...snapshot, isApplied: true }));
    const cut = new Map(merged.cuts.map(({ data }) => [data.messageEventId, data.heard]));
    const standing = held.map(({ eventId, data }) => ({
      eventId,
      data: { ...data, content: cut.get(eventId) ?? data.content },
    }));
    held = [...standing, ...merged.messages];
  }
  return held;
};
/** The same with a fold for each snapshot. */
const logAfter = (log: readonly StoredMessage[], ...snapshots: readonly Contents[]): StoredMessage[] =>
  logAfterFolds(
    log,
    snapshots.map((snapshot) => [snapshot]),
  );
const isLate = ({ data }: StoredMessage): boolean => data.metadata?.['late'] === true;
const wordsOf = (log: readonly StoredMessage[]): string[] => log.map(({ data }) => data.content);
/** The contents that a snapshot adds; late ones are marked with `<`. */
const newOf = (held: readonly MessageAppended[], snapshot: readonly MessageAppended[]): string[] =>
  logAfter(held.map(stored), snapshot)
    .slice(held.length)
    .map((message) => (isLate(message) ? `<${message.data.content}` : message.data.content));

describe('aligning a snapshot', () => {
  it('adds all of it to an empty session', () => expect(newOf([], talk('a', 'b'))).toEqual(['a', 'b']));

  it('adds what follows the overlap, and keeps an older head', () => {
    expect(newOf(talk('a', 'b', 'c'), talk('b', 'c', 'd', 'e'))).toEqual(['d', 'e']);
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

  it('adds messages older than the stored ones as late ones, with the message after them', () => {
    const held = talk('b', 'c').map(stored);
    const added = logAfter(held, talk('a', 'b', 'c', 'd')).slice(2);
    expect(added.map(({ data }) => [data.content, data.metadata])).toEqual([
      ['a', { late: true, precedes: held[0]!.eventId }],
      ['d', undefined],
    ]);
  });

  it('distinguishes recurring sentences by their turn, if both sides have one', () => {
    const yes = (turnId?: number) => said('yes', turnId === undefined ? {} : { turnId });
    expect(newOf([yes(4)], [yes(9), said('bye')])).toEqual(['yes', 'bye']);
    expect(newOf([yes(4)], [yes(4), said('bye')])).toEqual(['bye']);
    expect(newOf([yes(4)], [yes(), said('bye')])).toEqual(['bye']);
  });

  it('adds a late snapshot whose turns are older before what is stored', () => {
    const turn = (turnId: number) => said(`turn ${turnId}`, { turnId });
    expect(newOf([turn(8)], [turn(5), turn(6)])).toEqual(['<turn 5', '<turn 6']);
    expect(newOf([turn(5), turn(9)], [turn(7), turn(8), turn(9), turn(10)])).toEqual(['<turn 7', '<turn 8', 'turn 10']);
  });

  it('adds no message again that an earlier snapshot has shown and that was erased since', () => {
    const known = { key: 'a', isApplied: true, messages: talk('one', 'two', 'three') };
    const [one, , three] = known.messages.map((data, nth) => ({ eventId: `a/${nth}`, data }));
    const more = { key: 'b', isApplied: false, messages: talk('two', 'three', 'four') };
    const merged = mergeSnapshots([one!, three!], [known, more], (key, index) => `${key}/${index}`);
    expect(merged.messages.map(({ data }) => data.content)).toEqual(['four']);
  });

  it('joins parts that arrived in the wrong order, when a snapshot connects them', () => {
    const lines = Array.from({ length: 8 }, (_, nth) => said(`sentence ${nth}`));
    const log = logAfter([], lines.slice(4), lines.slice(0, 4), lines.slice(2, 6), lines);
    expect(wordsOf(log).sort()).toEqual(lines.map(({ content }) => content));
  });

  describe('recognises a message that was cut short after it was read', () => {
    const whole = 'Your parcel is at the depot.';
    const assistant = (content: string, metadata?: MessageAppended['metadata']) =>
      said(content, { role: 'assistant', ...(metadata === undefined ? {} : { metadata }) });
    const cut = (content: string) =>
      assistant(content, { interrupted: true, interrupt_timestamp: 1_751_000_006, original: whole });
    const question = said('Where is it?');

    const cutsOf = (held: readonly MessageAppended[], snapshot: readonly MessageAppended[]) => {
      const log = held.map(stored);
      const { cuts } = mergeSnapshots(log, [{ key: 'k', isApplied: false, messages: snapshot }], () => 'new');
      return cuts.map(({ data: { messageEventId, ...data } }) => ({
        index: log.findIndex(({ eventId }) => eventId === messageEventId),
        ...data,
      }));
    };

    it('and reports what was heard of it', () => {
      const snapshot = [question, cut('Your parcel'), said('Which depot?')];
      expect(newOf([question, assistant(whole)], snapshot)).toEqual(['Which depot?']);
      expect(cutsOf([question, assistant(whole)], snapshot)).toEqual([
        { index: 1, heard: 'Your parcel', interruptTimestamp: 1_751_000_006 },
      ]);
      expect(cutsOf([assistant('older'), assistant(whole)], [cut(''), question])).toMatchObject([
        { index: 1, heard: '' },
      ]);
    });

    it('and reports nothing if it is already stored as cut, or was never cut', () => {
      expect(cutsOf([question, cut('Your')], [question, cut('Your')])).toEqual([]);
      expect(cutsOf([question, cut('Your')], [question, assistant(whole)])).toEqual([]);
      expect(cutsOf([question], [cut('Your')])).toEqual([]);
    });

    it('and stores only what was heard, if both versions arrive together', () => {
      const log = logAfterFolds(
        [],
        [
          [
            [question, assistant(whole)],
            [question, cut('Your parcel')],
          ],
        ],
      );
      expect(wordsOf(log)).toEqual([question.content, 'Your parcel']);
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
  const windows = (all: MessageAppended[], looks: readonly { at: number; window: number }[]) =>
    looks.map((look) => windowOf(all, look));

  it('adds nothing for a duplicate snapshot, however sentences recur', () => {
    fc.assert(
      fc.property(scenario, ({ conversation, looks }) => {
        const all = talk(...conversation);
        let before: StoredMessage[] = [];
        const snapshots = windows(all, looks);
        for (const [nth, snapshot] of snapshots.entries()) {
          const earlier = snapshots.slice(0, nth + 1);
          const held = logAfter([], ...earlier);
          expect(wordsOf(held).slice(0, before.length)).toEqual(wordsOf(before));
          expect(wordsOf(logAfter([], ...earlier, snapshot))).toEqual(wordsOf(held));
          before = held;
        }
      }),
      { numRuns: 60 },
    );
  });

  it('has each message once if turns are given, in any order and any number of folds', () => {
    fc.assert(
      fc.property(
        scenario,
        fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
        ({ conversation, looks }, alone) => {
          const all = conversation.map((content, turnId) => said(content, { turnId }));
          const snapshots = windows(all, looks);
          const folds: Contents[][] = [[]];
          for (const [nth, snapshot] of snapshots.entries()) {
            folds.at(-1)?.push(snapshot);
            if (alone[nth] === true) folds.push([]);
          }
          const held = logAfterFolds([], folds);
          const turns = held.map(({ data }) => data.turnId!);
          const shown = [...new Set(snapshots.flat().map(({ turnId }) => turnId!))];
          const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
          expect(sorted(turns)).toEqual(sorted(shown));
          const inTime = held.filter((message) => !isLate(message)).map(({ data }) => data.turnId!);
          expect(inTime).toEqual(sorted(inTime));
          for (const message of held.filter(isLate)) {
            const next = held.find(({ eventId }) => eventId === message.data.metadata?.['precedes']);
            expect(next?.data.turnId).toBeGreaterThan(message.data.turnId!);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('has the whole conversation if consecutive snapshots overlap in different sentences, in any order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 4, max: 20 }),
        fc.nat(),
        fc.infiniteStream(fc.nat()),
        (length, window, seed, random) => {
          const all = talk(...Array.from({ length }, (_, nth) => `This is sentence ${nth}.`));
          const looks: { at: number; window: number }[] = [];
          for (let at = window; at < length; at += 1 + (seed % (window - 2))) looks.push({ at, window });
          const inOrder = windows(all, [...looks, { at: length, window }]);
          expect(logAfter([], ...inOrder, ...inOrder).map(({ data }) => data)).toEqual(all);
          expect(logAfterFolds([], [inOrder.toReversed()]).map(({ data }) => data)).toEqual(all);
          const shuffled = inOrder
            .map((snapshot) => ({ snapshot, at: random.next().value }))
            .sort((one, other) => one.at - other.at)
            .map(({ snapshot }) => snapshot);
          const words = all.map(({ content }) => content).sort();
          expect(wordsOf(logAfter([], ...shuffled)).sort()).toEqual(words);
          expect(wordsOf(logAfterFolds([], [shuffled]))).toEqual(all.map(({ content }) => content));
        },
      ),
      { numRuns: 100 },
    );
  });
});
