import { withoutEnd } from '@turnkeeper/domain';
import { danglingIn, namesSomething } from '../facts/dangling.js';
import { PERSON_NOUNS, type Token, textOf, tokensOf } from '../facts/tokens.js';
import { verbOf } from '../facts/verbs.js';
import { type NounPhrase, nounPhrasesIn } from './noun-phrase.js';

const KIND_OF: Readonly<Record<string, NounPhrase['kind']>> = {
  it: 'thing',
  he: 'person',
  she: 'person',
  him: 'person',
  her: 'person',
  they: 'plural',
  them: 'plural',
};

/**
 * Replaces a clause's first unresolved pronoun with its referent from the previous sentence or from the question.
 * Returns null if there is no candidate or more than one; never guesses.
 *
 * @param before the speaker's previous sentence; null for the first clause
 * @param question the question that the message answers; its "you" is the speaker
 * @param asked what the other side said before the question, which the question's own pronoun refers to
 */
export const namePronoun = (
  clause: string,
  before: string | null,
  question: string | null,
  asked: string | null = null,
): string | null => {
  const tokens = tokensOf(clause);
  const at = danglingIn(tokens);
  const token = at === null ? undefined : tokens[at];
  const owns = at === 0 && isPossessive(tokens, 0);
  const kind = owns ? 'person' : KIND_OF[token?.key ?? ''];
  if (at === null || token === undefined || kind === undefined || (!owns && isPossessive(tokens, at))) return null;
  if (kind === 'thing' && namesSomething(tokens.slice(0, at))) return null;
  // "It was made for a church. I made it …": both are something else. "Keep it up" names nothing.
  const speaksOfAnother = /^(?:it|this|that)\b(?!(?:['’]s| is) an? )/i.test(before ?? '');
  // "I lost it" when moved.
  const isIdiom = tokens[at + 1]?.key === 'up' || (tokens[at - 1]?.key === 'lost' && at === tokens.length - 1);
  if (kind === 'thing' && (speaksOfAnother || isIdiom)) return null;
  // "I have been at it since May", "I saw it happen": what is done or happened, not a thing.
  const isNoThing = tokens[at - 1]?.key === 'at' || /^(?:happen|happening|coming|all)$/.test(tokens[at + 1]?.key ?? '');
  if (kind === 'thing' && isNoThing) return null;
  const from = before === null ? phrasesAsked(question, asked) : nounPhrasesIn(before, false);
  // "I see them once a week": people, not walks.
  const meets =
    kind === 'plural' &&
    /^(?:see|sees|saw|seen|seeing|meet|met|meeting|call|called|visit|visited|visiting)$/.test(
      tokens[at - 1]?.key ?? '',
    );
  const fitting = from.filter(
    (phrase) =>
      phrase.kind === kind &&
      !phrase.text.startsWith('your ') &&
      !/ (?:family|team)$/.test(phrase.text) &&
      (!meets || isOfPeople(phrase.text)),
  );
  const distinct = [...new Map(fitting.map((phrase) => [phrase.text.toLowerCase(), phrase])).values()];
  // "I bought a boat at the harbour": prefer the object.
  const bare = distinct.filter(({ isBehindPreposition }) => !isBehindPreposition);
  const [only] = bare.length === 1 ? bare : distinct;
  if (only === undefined || (distinct.length > 1 && bare.length !== 1)) return null;
  // "I love a novel" would speak of novels, not of this one.
  if (/^an? /.test(only.text) && (at < 2 || verbOf(tokens[at - 1]?.key ?? '')?.kind === 'taste')) return null;
  const isSubject =
    /^(?:is|was|has)$/.test(tokens[at + 1]?.key ?? '') ||
    /^(?:third|past)$/.test(verbOf(tokens[at + 1]?.key ?? '')?.form ?? '');
  if (isOfOtherGender(token.key, only.text) || (kind === 'person' && /\b(?:him|her)(?=[.!,]|$)/i.test(before ?? '')))
    return null;
  if (owns && !/^(?:my|our) /i.test(only.text)) return null;
  // "My new flat is near the sea. It used to be …": the one before.
  const wasOther = tokens[at + 1]?.key === 'used' && /^(?:my|our) new /i.test(only.text);
  const phrase = wasOther
    ? only.text.replace(/ new /i, ' ')
    : owns
      ? `${only.text}'s`
      : isSubject
        ? only.text.replace(/^an? /, 'the ')
        : only.text;
  const tail = token.text.slice(withoutEnd(token.text, /[^\p{L}\p{N}]/u).length);
  const named = tokens.map((word, index): Token => (index === at ? { text: phrase + tail, key: phrase } : word));
  const text = textOf(named);
  // "It was tough" comments on the event, not on the thing named last.
  if (
    at <= 1 &&
    kind === 'thing' &&
    /^(?:is|was|has|had|made|makes|creates|gives|gave|felt|feels|will)$/.test(tokens[at + 1]?.key ?? '')
  )
    return null;
  return danglingIn(tokensOf(text)) === null ? text : null;
};

/** "That plate is lovely! Did you make it?" asks about a plate. */
const phrasesAsked = (question: string | null, asked: string | null): readonly NounPhrase[] => {
  if (question === null) return [];
  const named = nounPhrasesIn(question, true);
  return named.length === 0 && asked !== null && /\b(?:it|them|that|this|those|these)\b/i.test(question)
    ? nounPhrasesIn(asked, true)
    : named;
};

/** "He is tall" after "My brother is a cook": a "he" in the next clause is still the brother. */
export const goesOnAboutPerson = (clause: string): boolean =>
  /^(?:he|she|his|her)\b/i.test(clause) && nounPhrasesIn(clause, false).every(({ kind }) => kind !== 'person');

/** "He" after "my mum" means a person named earlier. */
const isOfOtherGender = (pronoun: string, phrase: string): boolean =>
  (/^(?:he|him|his)$/.test(pronoun) &&
    /\b(?:mother|mum|mom|sister|wife|aunt|daughter|grandma|grandmother|girlfriend|niece|girl|woman|lady)\b/i.test(
      phrase,
    )) ||
  (/^(?:she|her)$/.test(pronoun) &&
    /\b(?:father|dad|brother|husband|uncle|son|grandpa|grandfather|boyfriend|nephew|boy|man|guy)\b/i.test(phrase));

const isOfPeople = (phrase: string): boolean =>
  tokensOf(phrase).some(({ key }) => PERSON_NOUNS.has(key) || /^(?:people|folks|guys|team)$/.test(key));

/** "her" before a noun is possessive: "her dog"; in "helping her move" it is not. */
const isPossessive = (tokens: readonly Token[], at: number): boolean =>
  /^(?:her|his)$/.test(tokens[at]?.key ?? '') &&
  tokens[at + 1] !== undefined &&
  !/[,.;!?]$/.test(tokens[at]?.text ?? '') &&
  !(/^help(?:s|ed|ing)?$/.test(tokens[at - 1]?.key ?? '') && verbOf(tokens[at + 1]?.key ?? '')?.form === 'base');

export const examples = [
  ['I finished it yesterday', 'I was writing a novel', null, 'I finished a novel yesterday'],
  ['I love it', 'I found a harbour', null, null],
  ['he lives in Turku', 'My brother Anders is a carpenter', null, 'my brother Anders lives in Turku'],
  ['I sold it', null, 'What happened to your boat?', 'I sold my boat'],
  [
    'I practised a lot and it taught me patience',
    'I had a sailing experience with Ana',
    null,
    'I practised a lot and the sailing experience taught me patience',
  ],
  ['I paid it on Monday', null, 'Do you have a bill yet?', 'I paid a bill on Monday'],
  ['I sold it', 'I had a boat and a bike', null, null],
  ['I made it in May', null, 'Did you make it?', 'I made a plate in May', 'That plate is lovely!'],
  ['I made it in May', null, 'Did you make it?', null, 'That plate and this cup are lovely!'],
  ['I made it in May', null, 'Did you make soup?', null, 'That plate is lovely!'],
  ['I love it', null, null, null],
  ['I made it to show change', 'It was made for a church', null, null],
  ['I find it helps me sleep', 'It is an evening yoga class', null, 'I find the evening yoga class helps me sleep'],
  ['I lost it', 'I saw him in a silly hat', null, null],
  ['I will keep it up', 'I started a new diet', null, null],
  ['I have been at it since May', 'I started a new diet', null, null],
  ['I saw it happen', 'I bought a boat', null, null],
  ['I see them once a week', 'I love my walks', null, null],
  ['I see them once a week', 'I love my cousins', null, 'I see my cousins once a week'],
  ['they ran to the sea', 'It is good to let the kids run around', null, 'the kids ran to the sea'],
  ['I am helping her find a flat', 'My cousin Ana lost her home', null, 'I am helping my cousin Ana find a flat'],
  ['I am selling her flat', 'My cousin Ana moved', null, null],
  ['Her husband is a pilot', 'My sister works in Hue', null, "my sister's husband is a pilot"],
  ['His name is Toby', 'I adopted a puppy last week', null, "my puppy's name is Toby"],
  ['His name is Toby', 'I saw a puppy last week', null, null],
  ['Her husband is a pilot', 'My sister met my aunt', null, null],
  ['he sleeps on my bed', 'I adopted a puppy named Toby last week', null, 'my puppy Toby sleeps on my bed'],
  ['he lives in Turku', 'My mum still works', null, null],
  ['she lives in Turku', 'My aunt takes care of her', null, null],
  ['she lives in Turku', 'My uncle moved', null, null],
  ['he taught me patience', 'I am glad to have had him in my family', null, null],
] as const satisfies readonly (readonly [string, string | null, string | null, string | null, string?])[];
