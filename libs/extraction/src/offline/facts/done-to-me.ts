import { participleOf, verbOf } from './verbs.js';

/** The object ends before these. */
const BEHIND_OBJECT = String.raw`(?=[\s,.!]{0,3}$| (?:on|off|up|down|out|over|in|into|to|for|as|at|from|by|with|about|after|because|when|last|yesterday|today|an?|the|my|some|two|three|four|five|six|\d+)\b)`;
/** "They", or someone without a name, as the doer of a past deed. */
const DOER = new RegExp(
  String.raw`^(?:they|someone|somebody|people) (?:just |even |also |finally |actually )?(\p{L}+) (me|us|(?:one of )?(?:my|our) \p{L}+(?: \p{L}+)??)${BEHIND_OBJECT}(.*)$`,
  'iu',
);
/** What was said, felt or caused, and verbs that have no passive. */
const NO_DEED =
  /^(?:tell|say|think|know|hear|see|make|let|have|get|want|need|like|love|hate|feel|help|thank|understand|remember|forget|keep|mean|bring|enjoy|hope|look|become|find|need|watch|leave|come|go|do|inspire|motivate|support|encourage|remind|surprise|admire)$/;
/**
 * "They took me on as an analyst", "Someone stole my bike": who did it is not said, so it becomes "I was taken on as an
 * analyst".
 */
export const doneToMe = (clause: string): string | null => {
  const [, word = '', whom = '', rest = ''] = DOER.exec(clause) ?? [];
  const verb = verbOf(word);
  if (verb?.form !== 'past' || NO_DEED.test(verb.base)) return null;
  if (/\b(?:you|your|they|their|them|dreams?|joke|joking|kidding|film|if|would)\b/i.test(rest)) return null;
  const subject = /^(?:me|us)$/i.test(whom) ? 'I' : whom;
  const isPlural = /[^s]s$/.test(whom) && !/^(?:me|us|one of )/i.test(whom);
  return `${subject} ${isPlural ? 'were' : 'was'} ${participleOf(verb.base)}${rest}`;
};

export const examples = [
  ['They took me on as an analyst', 'I was taken on as an analyst'],
  ['They promoted me to head cook in May', 'I was promoted to head cook in May'],
  ['They finally gave me a place at a drama school', 'I was given a place at a drama school'],
  ['They laid me off last week', 'I was laid off last week'],
  ['They threw me a party with a boat-shaped cake', 'I was thrown a party with a boat-shaped cake'],
  ['Someone stole my bike last night', 'my bike was stolen last night'],
  ['Someone stole my old bike', 'my old bike was stolen'],
  ['They accepted my paper', 'my paper was accepted'],
  ['They offered us a stall at the harbour fair', 'I was offered a stall at the harbour fair'],
  ['They told me a joke', null],
  ['They hired me as a cook, just kidding', null],
  ['They loved my paper', null],
  ['They invited my sister Ana', 'my sister Ana was invited'],
  ['They promoted me to king in my dream', null],
  ['They want me to wait', null],
  ['Ana took me on as an analyst', null],
] as const satisfies readonly (readonly [string, string | null])[];
