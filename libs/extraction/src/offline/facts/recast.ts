import { aOrAn } from '../text/article.js';
import { isOrHas } from '../person/is-or-has.js';
import { restoreSubject } from '../person/contractions.js';
import { namePronoun } from '../reference/name-pronoun.js';
import { nounPhrasesIn } from '../reference/noun-phrase.js';
import { announced } from './announced.js';
import { isVague } from './definite.js';
import { doneToMe } from './done-to-me.js';
import {
  EMPTY,
  hasContent,
  isName,
  NEEDS_NAME,
  PERSON_NOUNS,
  TIME_NOUNS,
  type Token,
  textOf,
  tokensOf,
} from './tokens.js';
import { expectedVerb, guessedVerb, pastOf, verbOf } from './verbs.js';

/** Rewordings of a clause that states its fact indirectly, most reliable first. None adds information. */
export const recasts = (clause: string): string[] => {
  const introduced = withoutPointing(clause);
  const shown = withoutShowing(clause);
  const said = [introduced, shown, shown === null ? null : withoutPointing(shown), anotherOne(clause)];
  const announcements = announced(clause).flatMap((text) => [text, withoutPointing(text)]);
  return [
    ...said,
    ...announcements,
    deedBehind(clause),
    reasonIn(clause),
    whoDoes(clause),
    doneToMe(clause),
    whenIn(clause),
    secondDeed(clause),
    thingFound(clause),
    ...tailsOf(introduced ?? clause),
  ].filter((text) => text !== null);
};

/** "I finished this fantasy series" introduces the series: for the reader it is "a fantasy series". */
const withoutPointing = (clause: string): string | null => {
  const tokens = tokensOf(clause);
  let isChanged = false;
  const isYours = (at: number): boolean =>
    YOURS.test(
      tokens
        .slice(at + 1, at + 5)
        .map(({ key }) => key)
        .join(' '),
    );
  const words = tokens.flatMap((token, index): Token[] => {
    if (token.key === 'all' && tokens[index + 1]?.key === 'these' && bringsUp(tokens, index + 2)) return [];
    if (token.key === 'that' && isYours(index)) {
      isChanged = true;
      return [{ text: 'the', key: 'the' }];
    }
    const plural = token.key === 'these';
    const points =
      token.key === 'this' ||
      (token.key === 'that' &&
        (isObjectOf(tokens[index - 1], tokens[index + 1]) ||
          isDestination(tokens, index, tokens[index + 2]) ||
          isJoined(tokens, index)));
    // "these friends", "after all these games": those mentioned before, not new ones.
    if (plural && (isPeople(tokens[index + 1]) || followsPreposition(tokens, index))) return [token];
    if (!(plural || points) || !bringsUp(tokens, index + 1) || isVague(tokens, index)) return [token];
    isChanged = true;
    const next = tokens[index + 1]?.text ?? '';
    const isNamed = isName(tokens[index + 2] ?? { text: '', key: '' }, 1);
    const text = plural
      ? 'some'
      : /^(?:biz|business|studio|store|shop)$/.test(tokens[index + 1]?.key ?? '')
        ? 'my'
        : isNamed
          ? 'the'
          : aOrAn(next);
    return [{ text, key: text }];
  });
  return isChanged ? textOf(words) : null;
};

const isPeople = (token: Token | undefined): boolean =>
  PERSON_NOUNS.has(token?.key ?? '') || /^(?:people|guys|folks|peeps)$/.test(token?.key ?? '');
const followsPreposition = (tokens: readonly Token[], at: number): boolean =>
  /^(?:of|in|at|for|from|with|on|about|to|by|after|before|through|over)$/.test(
    tokens[tokens[at - 1]?.key === 'all' ? at - 2 : at - 1]?.key ?? '',
  );

/** "painted that lake"; in "think that" and "a class that starts" the word is a conjunction or relative pronoun. */
const isObjectOf = (before: Token | undefined, next: Token | undefined): boolean =>
  /^(?:painted|made|took|bought|wrote|visited|finished|snapped|joined|built|won|watched|attended|found)$/.test(
    before?.key ?? '',
  ) &&
  next !== undefined &&
  hasContent(next);

/** In "this stained glass window" the participle describes the window. */
const isVerbLike = ({ key }: Token, next: Token | undefined): boolean => {
  const verb = verbOf(key);
  return (
    verb !== null &&
    !(verb.form === 'past' && /ed$/.test(key) && next !== undefined && hasContent(next) && verbOf(next.key) === null)
  );
};

/** "went to that town meeting" */
const isDestination = (tokens: readonly Token[], at: number, second: Token | undefined): boolean =>
  tokens[at - 1]?.key === 'to' &&
  /^(?:went|going|been)$/.test(tokens[at - 2]?.key ?? '') &&
  second !== undefined &&
  hasContent(second) &&
  !TIME_NOUNS.has(second.key);

/** "signed up for that pottery class" */
const isJoined = (tokens: readonly Token[], at: number): boolean =>
  tokens[at - 1]?.key === 'for' && /^(?:up|enrolled|enroled|registered|applied)$/.test(tokens[at - 2]?.key ?? '');

/** "that book you recommended", "that stuff I baked" says which one. */
const YOURS =
  /^(?:(?:\p{L}+ ){1,2}you (?:recommended|suggested|mentioned|gave|lent|sent|made)|stuff (?:i|we) (?:baked|made|cooked|built|painted))\b/u;

/** Whether a noun follows directly or after its description. A bare "book" would be too vague. */
const bringsUp = (tokens: readonly Token[], at: number): boolean => {
  const [first, second] = [tokens[at], tokens[at + 1]];
  if (first === undefined || TIME_NOUNS.has(first.key) || isVerbLike(first, second) || /'s$/.test(first.key))
    return false;
  // "this next tourney" was mentioned before.
  if (/^(?:next|last|same|very|entire|particular|latest|exact|upcoming)$/.test(first.key)) return false;
  // "this stained glass window"; in "this painted" the word is a pronoun.
  if (/ed$/.test(first.key) && (second === undefined || !hasContent(second))) return false;
  const isClosed = /[,.;!?]$/.test(first.text);
  if (/^(?:pic|photo|picture)$/.test(first.key))
    return /^(?:at|in|on|during|near)$/.test(second?.key ?? '') && !isClosed;
  if (hasContent(first) && !NEEDS_NAME.has(first.key))
    return (!/^(?:path|journey|trip|kind|sort|pic|photo|way)$/.test(first.key) && !isClosed) || /s$/.test(first.key);
  if (isClosed || second === undefined) return false;
  const isDescribed =
    /^(?:new|old|amazing|awesome|cool|great|little|big|small|beautiful|special|interesting|nice|lovely|super|tough|wonderful|fun|inspiring)$/.test(
      first.key,
    ) || NEEDS_NAME.has(first.key);
  return isDescribed && (hasContent(second) || (EMPTY.has(first.key) && hasContent(tokens[at + 2] ?? second)));
};

const SHOWING =
  /^(?:here(?:'s| is| are)|check out|take a look at|look at|(?:this|that|it|these|those)(?:'s| is| was| are| were)) (?:from )?(?:(?:a|the|some) (?:pic|pics|picture|photo|photos|shot|snap|peek|look)s? (?:of|from|at) )?((?:a|an|my|our|some|one of my|this|these|the(?= [^,]* (?:I|we) (?:made|designed|built)))\b[^,;!?–—]{3,60}?) (?:that |which )?(I|we) (?:just |recently |really |also )?(made|painted|took|bought|designed|baked|cooked|wrote|built|created|drew|found|got|adopted|played|like|love|enjoy|cherish|visited|did|sewed|planted)\b ?([^–—,;]*)/i;
/** "Here are some bowls of ice cream that I made last week" states that I made some bowls of ice cream last week. */
const withoutShowing = (clause: string): string | null => {
  const match = SHOWING.exec(clause);
  if (match === null || /^(?:that|it)'s (?:why|what|how)/i.test(clause)) return null;
  const [, what = '', who = '', verb = '', rest = ''] = match;
  if (
    /^\w+ (?:\w+ )?(?:pic|pics|picture|photo|shot|snap|peek|look|reason|things?|part|game|show|place)\b/.test(what) ||
    /\b(?:with|of|for|about|it|them|there)[.!]*$/.test(rest.trim())
  )
    return null;
  const shown = what
    .replace(/^these /i, 'some ')
    .replace(/^this (?=([aeiou])?)/i, (_, vowel?: string) => (vowel === undefined ? 'a ' : 'an '));
  return `${who} ${verb} ${shown} ${rest}`.trim();
};

const JUDGED =
  /^(\p{L}+ing) ([^,;]{3,80}?) was (?:so |such |really |super |pretty |very |quite |just |definitely |a |an ){0,5}(?:hard|tough|great|fun|awesome|amazing|incredible|bummer|blast|rewarding|stressful|scary|exciting|difficult|wonderful|fantastic|nice|emotional|dream|the (?:best|hardest|scariest|coolest) part)\b|^(\p{L}+ing) (my [^,;]{3,60}?) (?:gave|pushed|made|led|forced) me\b/iu;
/** "Organizing a camp last summer was great" states that I organized one. */
const deedBehind = (clause: string): string | null => {
  const match = JUDGED.exec(clause);
  const verb = verbOf(match?.[1] ?? match?.[3] ?? '');
  const object = (match?.[2] ?? match?.[4] ?? '').replace(/^((?:my|our|an?) .*?) and \p{L}+ing .*$/u, '$1');
  if (verb === null || verb.form !== 'gerund' || /^(?:see|hear|have|be|do|get|watch|feel|think|look)$/.test(verb.base))
    return null;
  return /\b(?:you|your|i|we|it|them|that|is|was|and)\b/i.test(object) ? null : `I ${pastOf(verb.base)} ${object}`;
};

/** "Since I lost my job, things have been tough" states that I lost it. */
const reasonIn = (clause: string): string | null => {
  const reason = /^(?:ever )?since (I [^,]{4,80}), /i.exec(clause)?.[1] ?? '';
  return verbOf(reason.split(' ')[1] ?? '')?.form === 'past' ? reason : null;
};

const SUBORDINATE =
  /^(?:when|after|because|once|as soon as) ((?:I|we|my|our) (?!(?:was|were|am|are|is)\b)[^,;]{8,80}), (?:I|we|it|my|our|the|that|she|he|they|everyone|nobody)\b/iu;
/** "When my aunt had her stroke in May, I moved" states that she had one. */
const whenIn = (clause: string): string | null => {
  const [, event = ''] = SUBORDINATE.exec(clause) ?? [];
  return event.split(' ').some((word, index) => index > 0 && index < 5 && verbOf(word)?.form === 'past') &&
    !/\b(?:was|were) (?:\p{L}+ing|\p{L}+teen|\d+|little|young|a kid|a child|small)\b|\b(?:it|them|that|this)$/iu.test(
      event,
    )
    ? event
    : null;
};

const SECOND_DEED =
  /^((?:(?:last|on|in|this|after|over) [^,]{2,20},? |yesterday,? )?)(I|we) (?:(?:just|also|finally|even|all|both) )?([\p{L}]+) ([^,;–—]{2,60}?),? and (?:then |also |even |finally )?(\p{L}+) (.{4,})/iu;
/** "I took the ferry to the island and stayed in a yurt" states that I stayed in a yurt. */
const secondDeed = (clause: string): string | null => {
  const [, when = '', who = '', first = '', middle = '', second = '', rest = ''] = SECOND_DEED.exec(clause) ?? [];
  const isDeed = (word: string): boolean =>
    expectedVerb(word)?.form === 'past' || guessedVerb(word, false) !== null || /^(?:cut|put|set|read|hit)$/.test(word);
  if (
    !isDeed(first) ||
    !isDeed(second) ||
    /\b(?:who|that|which|he|she|they|you|if|told|said|asked|watched|saw|heard|let|made|helped)\b/i.test(
      `${first} ${middle}`,
    )
  )
    return null;
  return `${when}${who} ${second} ${rest}`;
};

const THING_FOUND =
  /\b((?:an?|some) (?:(?!(?:when|while|and|but|that|which|where|because|so)\b)[\p{L}'-]+ ){1,6}?)(?:that |which )?(I|we) ((?:just |recently |once )?(?:found|bought|saw|met|read|won|inherited|picked up|came across|adopted|ordered)) ((?:in|at|on|from|near|last|during|years|two|three|a)\b [^,;–—]{3,60})/u;
/** "It comes from a jar I found at a flea market in Hue" states that I found a jar there. */
const thingFound = (clause: string): string | null => {
  const [, what = '', who = '', found = '', where = ''] = THING_FOUND.exec(clause) ?? [];
  return what === '' || /^(?:an?|some) (?:thing|place|way|time|day|lot|bit|while|few|person|guy|friend)\b/.test(what)
    ? null
    : `${who} ${found} ${what}${where}`;
};

/** A clause after "so I", "because I" or a dash states as much as the one before it. */
const tailsOf = (clause: string): string[] =>
  [...clause.matchAll(TAIL)].flatMap((match) => {
    const head = clause.slice(0, match.index);
    const tail = restoreSubject(clause.slice(match.index + match[0].length));
    if (CONDITION.test(head) || UNREAL.test(tail)) return [];
    // "It" in the tail may be any thing of the head; a person is usually its subject.
    const named = /\b(?:he|she|him|her)\b/i.test(tail) ? namePronoun(tail, head, null) : null;
    return named === null ? [tail] : [tail, named];
  });
const CONDITION = /\b(?:if|when|whenever|unless|would|could|might|wish)\b/i;
const UNREAL = /\b(?:if|whenever|unless|would|could|might|wish)\b/i;
const TAIL = new RegExp(
  String.raw`(?:,? so |,? (?:because|cause|'cause) |[,;:] (?:and )?| [-–—]+ )(?=(?:(?:yesterday|recently|last (?:week|month|year|night|weekend)),? )?(?:I|we|my|our) |(?:just|recently) (?:been \p{L}+ing|finished|started|got|bought|moved) )`,
  'giu',
);

const WHO =
  /\b((?:[Mm]y|[Oo]ur) (?:\p{L}[\p{L}'-]* ){0,3}?\p{L}[\p{L}'-]*),? who(?='s (?:an? |been |from |in |\p{L}+ing ))('s)? ([^,;–—]{8,})|\b((?:[Mm]y|[Oo]ur) (?:\p{L}[\p{L}'-]* ){0,3}?\p{L}[\p{L}'-]*),? who (?!(?:I|we|you|she|he|they)\b)([^,;–—]{6,})/u;
/** "I went with my brother, who lives in Turku" states that he lives there. */
const whoDoes = (clause: string): string | null => {
  const [, one, s = '', doing = '', other, does = ''] = WHO.exec(clause) ?? [];
  if (one !== undefined) return isOrHas(`${one}${s} ${doing}`);
  return other === undefined ? null : `${other} ${does}`;
};

const ANOTHER_ONE = /^([^,;]{8,80}?), (?:so|and|but) ((?:I|we) [^,;]{3,60}?\banother) one\b/i;
/** "I sold the quilt, so I am sewing another one": another quilt, if nothing else is named before. */
const anotherOne = (clause: string): string | null => {
  const [whole = '', before = '', start = ''] = ANOTHER_ONE.exec(clause) ?? [];
  const [thing, ...more] = whole === '' ? [] : nounPhrasesIn(before, false);
  if (thing === undefined || more.length > 0 || thing.kind !== 'thing') return null;
  return `${start} ${thing.text.split(' ').at(-1) ?? ''}`;
};

export const examples = [
  ['I just finished this fantasy series', 'I just finished a fantasy series'],
  ['I love these cute notes', 'I love some cute notes'],
  ['Here are some bowls of rice that I made yesterday', 'I made some bowls of rice yesterday'],
  ['That was from a match I just played', 'I played a match'],
  ['It was late, so I took a taxi', 'I took a taxi'],
  ['I sold the quilt, so I am sewing another one', 'I am sewing another quilt'],
  ['Organizing a camp for kids last summer was great', 'I organized a camp for kids last summer'],
  ['Losing my job gave me a push', 'I lost my job'],
  ['Since I lost my job at the bank, things have been tough', 'I lost my job at the bank'],
  ['Both my parents and my brother Karl, who flies in from Oslo', 'my brother Karl flies in from Oslo'],
  ["It was me and my guide, who's been climbing for years", 'my guide has been climbing for years'],
  ['I took the ferry to the isle and stayed in a yurt', 'I stayed in a yurt'],
  ['Last May we cleared the place and planted an orchard', 'Last May we planted an orchard'],
  ['When my aunt had a stroke in May, I moved to Hue', 'my aunt had a stroke in May'],
  ['The idea came from a jar I found at a flea market in Hue', 'I found a jar at a flea market in Hue'],
  ['I signed up for that pottery class in Hue', 'I signed up for a pottery class in Hue'],
  ['It was loud, my father danced with a broom', 'my father danced with a broom'],
  ['I painted that lake sunrise last year', 'I painted a lake sunrise last year'],
  ['I took this photo at the harbour', 'I took a photo at the harbour'],
  ['I get it, I had a tutor when I was learning Finnish', 'I had a tutor when I was learning Finnish'],
  ['My cousin had a bad week, so I am helping her find a flat', 'I am helping my cousin find a flat'],
  ["The bakery's fine, just been trying new sorts of bread", 'I have just been trying new sorts of bread'],
  ['Marrying my wife and dancing all night was the best part', 'I married my wife'],
  ['I am reading that novel you recommended', 'I am reading the novel you recommended'],
  ['I dropped off that stuff I baked', 'I dropped off the stuff I baked'],
  ['I made this stained glass window', 'I made a stained glass window'],
  ['Check out this mug I made in my ceramics class', 'I made a mug in my ceramics class'],
  ['I went to that town meeting', 'I went to a town meeting'],
] as const satisfies readonly (readonly [string, string])[];

/** Clauses, and what they do not state. */
export const notRecast = [
  ['I met a man who smiled and gave me a rose', 'I gave me a rose'],
  ['I saw my aunt fall and broke a jar', 'I broke a jar'],
  ['When I was fifteen, I moved to Hue', 'I was fifteen'],
  ['When I paint, I forget the time', 'I paint'],
  ['I need a jar I like in red', 'I like a jar in red'],
] as const satisfies readonly (readonly [string, string])[];
