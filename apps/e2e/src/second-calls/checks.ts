import { expect } from 'vitest';
import {
  FACTS,
  FACTS_OF_OTHER,
  FIRST_CALL,
  NEW_PHONE,
  NUMBERS,
  NUMBERS_OF_OTHER,
  OTHER_CALL,
  UNHEARD,
  UNHEARD_BY_OTHER,
  type Facts,
  type Line,
} from './lines.js';

/** What the model was given: one text for each way in which a backend on the platform may get it. */
export interface Given {
  /** In the caller's second call: after the first sentence, and after a value of the first call has changed. */
  readonly second: readonly string[];
  readonly afterChange: readonly string[];
  /** In the caller's third call, after the first sentence. */
  readonly third: readonly string[];
  /** In the second call of the other user, after the first sentence. */
  readonly other: readonly string[];
}

/** What the model must be given, and what not. */
export const CHECKS = {
  facts: {
    title: 'what the caller said in the first call',
    check: ({ second, other }: Given) => {
      for (const text of second) expectTold(text, FACTS);
      for (const text of other) expectTold(text, FACTS_OF_OTHER);
    },
  },
  numbers: {
    title: 'its numbers to the digit',
    check: ({ second, other }: Given) => {
      for (const text of second) expectTold(text, NUMBERS);
      for (const text of other) expectTold(text, NUMBERS_OF_OTHER);
    },
  },
  others: {
    title: 'nothing of another user',
    check: ({ second, afterChange, third, other }: Given) => {
      for (const text of [...second, ...afterChange, ...third]) {
        expectNotTold(text, { ...FACTS_OF_OTHER, ...NUMBERS_OF_OTHER });
      }
      for (const text of other) expectNotTold(text, { ...FACTS, ...NUMBERS, 'the new phone number': NEW_PHONE });
    },
  },
  heard: {
    title: 'nothing that an interruption cut off',
    check: ({ second, afterChange, third, other }: Given, { cutsByTime }: { readonly cutsByTime?: boolean }) => {
      const certain = (text: string): string => (cutsByTime === true ? withoutLines(text, SAYS_CUT) : text);
      for (const text of [...second, ...afterChange, ...third]) expectNotTold(certain(text), UNHEARD);
      for (const text of other) expectNotTold(certain(text), UNHEARD_BY_OTHER);
    },
  },
  replaced: {
    title: 'no replaced value without the new one after it',
    check: ({ afterChange, third }: Given, { hasOwnFacts }: { readonly hasOwnFacts?: boolean }) => {
      const old = NUMBERS['the phone number'];
      for (const text of [...afterChange, ...third]) {
        expectTold(text, { 'the new phone number': NEW_PHONE });
        expectToldLast(text, NEW_PHONE, old);
      }
      // Facts without attributes cannot replace each other.
      if (hasOwnFacts !== true) for (const text of third) expectNoCurrentFact(text, old);
    },
  },
  order: {
    title: 'turns in the order in which they were said',
    check: ({ second, third, other }: Given) => {
      for (const text of [...second, ...third]) expectInOrder(text, FIRST_CALL);
      for (const text of other) expectInOrder(text, OTHER_CALL);
    },
  },
};

const namesOf = (facts: Facts, isWanted: (pattern: RegExp) => boolean): string[] =>
  Object.entries(facts).flatMap(([name, pattern]) => (isWanted(pattern) ? [name] : []));

/** A failure shows which facts are missing, and the whole text. */
export const expectTold = (text: string, facts: Facts): void => {
  expect({ missing: namesOf(facts, (pattern) => !pattern.test(text)), text }).toEqual({ missing: [], text });
};

/** A failure shows which facts are told, and the whole text. */
export const expectNotTold = (text: string, facts: Facts): void => {
  expect({ told: namesOf(facts, (pattern) => pattern.test(text)), text }).toEqual({ told: [], text });
};

/** Headings of a context block and of restored instructions. */
const FACTS_HEADINGS: readonly string[] = ['About the user:', 'Known about this user:'];
const OTHER_HEADINGS: readonly string[] = ['From the assistant:', 'Said earlier:', '</memory>'];
/** How a line says that its value is no longer current. */
const SAYS_OLD = /replaced|superseded|no longer|former|until|\bnow\b|changed/i;
/** How a line says that it was not heard to its end. */
const SAYS_CUT = /interrupted|cut off|not heard/i;

const withoutLines = (text: string, pattern: RegExp): string =>
  text
    .split('\n')
    .filter((line) => !pattern.test(line))
    .join('\n');

/** A transcript may hold an older value if the newer one follows. */
const expectToldLast = (text: string, current: RegExp, old: RegExp): void => {
  const lines = text.split('\n');
  const last = (pattern: RegExp): number => lines.findLastIndex((line) => pattern.test(line));
  expect({ isLast: last(old) <= last(current), text }).toEqual({ isLast: true, text });
};

/** Models take facts as current: a line about a replaced value must say what it is. */
const expectNoCurrentFact = (text: string, old: RegExp): void => {
  const unsaid = factsIn(text).filter((line) => old.test(line) && !SAYS_OLD.test(line));
  expect({ unsaid, text }).toEqual({ unsaid: [], text });
};

/** The lines about the user, without those that quote earlier turns. */
export const factsIn = (text: string): string[] => {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => FACTS_HEADINGS.includes(line));
  if (from < 0) return [];
  const length = lines.slice(from).findIndex((line) => OTHER_HEADINGS.includes(line));
  return lines.slice(from + 1, length < 0 ? undefined : from + length);
};

/** The lines of a transcript, in a window or in the turns of a context block. */
const SPOKEN = /^(?:\[\d+\] )?(?:user|assistant): /i;

/** Turns may be missing. */
const expectInOrder = (text: string, said: readonly Line[]): void => {
  const lines = text.split('\n').filter((line) => SPOKEN.test(line));
  const places = said.map((line) => lines.findIndex((each) => each.endsWith(`: ${line.text}`))).filter((at) => at >= 0);
  expect({ places, text }).toEqual({ places: places.toSorted((a, b) => a - b), text });
};
