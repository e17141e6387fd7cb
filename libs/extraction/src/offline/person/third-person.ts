import { joinWords, type Word, wordsOf } from '../text/words.js';
import { agreeWithName, agreeWithThey } from './agreement.js';
import { isAdverb, isAuxiliary } from './verb-forms.js';
import { type Cast, isUnnamedAgent } from './cast.js';
import { companionsIn } from './companions.js';

interface State {
  /** The speaker's name has been written. */
  named: boolean;
  /** … as the subject, so that "they" is unambiguous. */
  subject: boolean;
  /** "we" has been expanded. */
  group: boolean;
}

/**
 * Rewrites a clause of `cast.speaker` as a self-contained third-person clause. The first mention is the name, later
 * ones are "they"/"their"; gender is not assumed.
 *
 * @param clause contractions of I, we, you already expanded
 * @param before earlier text of the message; identifies "we"
 */
export const inThirdPerson = (clause: string, cast: Cast, before: string): string => {
  const words = wordsOf(clause);
  const state: State = { named: false, subject: false, group: false };
  const edits = new Map<number, string>();
  const told: string[] = [before];

  words.forEach((word, index) => {
    const edit = replacementFor(words, index, cast, state, told.join(' '));
    told.push(word.text);
    if (edit === null) return;
    edits.set(index, edit.text);
    if (edit.agree === 'singular') agreeWithName(words, index, edits);
    if (edit.agree === 'they') agreeWithThey(words, index, edits);
  });
  return joinWords(words.map((word, index) => ({ ...word, text: edits.get(index) ?? word.text })));
};

interface Edit {
  readonly text: string;
  readonly agree: 'singular' | 'they' | 'none';
}

const replacementFor = (words: readonly Word[], index: number, cast: Cast, state: State, told: string): Edit | null => {
  const { speaker, listener } = cast;
  const object = (pronoun: string): Edit => {
    const text = state.named ? pronoun : speaker;
    state.named = true;
    return { text, agree: 'none' };
  };
  const possessive = (): Edit => {
    const text = state.named ? 'their' : `${speaker}'s`;
    state.named = true;
    return { text, agree: 'none' };
  };
  if (/^-/.test(words[index]?.after ?? '')) return null; // "me-time"
  switch (words[index]?.lower ?? '') {
    case 'i': {
      const compound =
        /^(?:and|or|&)$/.test(words[index - 1]?.lower ?? '') && /Noun/.test([...(words[index - 2]?.tags ?? [])].join());
      if (state.subject) return { text: 'they', agree: 'they' };
      state.named = true;
      state.subject = true;
      return { text: speaker, agree: compound ? 'none' : 'singular' };
    }
    case 'me':
      return object('them');
    case 'my':
      return possessive();
    case 'mine':
      return { text: state.named ? 'theirs' : `${speaker}'s`, agree: 'none' };
    case 'myself':
      return { text: state.named ? 'themself' : speaker, agree: 'none' };
    case 'we': {
      if (isUnnamedAgent(speaker) && companionsIn(told) === 'others') {
        const again = state.subject;
        state.named = state.subject = true;
        return { text: again ? 'they' : speaker, agree: again ? 'they' : 'singular' };
      }
      const text = state.group ? 'they' : state.subject ? 'they' : `${speaker} and ${companionsIn(told)}`;
      state.named = state.subject = state.group = true;
      return { text, agree: 'none' };
    }
    case 'us': {
      const text = state.group ? 'them' : state.named ? 'them' : `${speaker} and ${companionsIn(told)}`;
      state.named = state.group = true;
      return { text, agree: 'none' };
    }
    case 'our':
      return possessive();
    case 'ours':
      return { text: 'theirs', agree: 'none' };
    case 'ourselves':
      return { text: 'themselves', agree: 'none' };
    case 'you':
      return { text: listener, agree: isSubject(words, index) ? 'singular' : 'none' };
    case 'your':
      return { text: `${listener}'s`, agree: 'none' };
    case 'yours':
      return { text: `${listener}'s`, agree: 'none' };
    case 'yourself':
      return { text: listener, agree: 'none' };
    default:
      return null;
  }
};

/** "you" is the subject if a verb follows. */
const isSubject = (words: readonly Word[], index: number): boolean => {
  const next = words[index + 1];
  return (
    next !== undefined && (next.tags.has('Verb') || isAuxiliary(next) || isAdverb(next)) && !next.tags.has('Gerund')
  );
};
