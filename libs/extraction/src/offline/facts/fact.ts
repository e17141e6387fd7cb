import { type Cast, isUnnamed } from '../person/cast.js';
import { companionsIn } from '../person/companions.js';
import type { Person } from '../reference/circle.js';
import { nameDefinite } from '../reference/name-definite.js';
import { nameParts } from '../reference/name-parts.js';
import { namePronoun } from '../reference/name-pronoun.js';
import { nameThem } from '../reference/name-them.js';
import { recalled } from '../reference/recalled.js';
import { isReport } from '../rules/reported.js';
import { isAssistant } from '../rules/speakable.js';
import { aboutPerson } from './acquaintance.js';
import { type Clause, parseClause } from './clause.js';
import { danglingIn } from './dangling.js';
import { isHollow } from './hollow.js';
import { recasts } from './recast.js';
import { breaksAfter, isName, isNumber, textOf, type Token, tokensOf } from './tokens.js';
import { aboutOther, withSubject } from './others.js';
import { ownSuccess, touchingSpeaker, TURNED_OUT } from './touches.js';
import { trimmed, withoutListener } from './trim.js';
import { isWorthKeeping } from './worth.js';

/** The fact of a clause, ready for rewriting. */
export type Told =
  | {
      /** `own`: about the speaker; `report`: about something else, attributed to the speaker. */
      readonly kind: 'own' | 'report';
      /** In the first person, cut to the fact. */
      readonly plain: string;
      /** The part of the message before it. */
      readonly before: string;
      /** It describes an event, past or future. */
      readonly happens: boolean;
      /** Whom "he" or "she" stood for. */
      readonly person?: Person;
    }
  /** A finished record: worded by a rule, or a quotation of the speaker. */
  | { readonly kind: 'written' | 'quoted'; readonly text: string };

/** A clause and its context. */
export interface Spoken {
  readonly plain: string;
  /** The speaker's previous clause in this message. */
  readonly lastClause: string | null;
  readonly question: string | null;
  /** What the other side said before the question. */
  readonly asked?: string | null;
  readonly cast: Cast;
  readonly role: string;
  /** The whole part of the message before it. */
  readonly before: string;
  /** The part of the message after it. */
  readonly after?: string;
  /** Finds the people that "he" or "she" may mean. */
  readonly mentioned?: () => readonly (readonly Person[])[];
}

/** Maximum length of a clause in characters; a longer one is a monologue, not one fact. */
const MAX_LENGTH = 400;

/** The fact in a clause. Returns null if it has none, or refers to something that it does not name. */
export const factIn = (spoken: Spoken): Told | null => {
  if (spoken.plain.length > MAX_LENGTH) return null;
  const { plain, before, after = '' } = spoken;
  const titled = {
    ...spoken,
    plain: recalled(plain, before) ?? ownSuccess(plain, after) ?? plain.replace(COMING_OUT, ' '),
  };
  return ownFact(titled) ?? reported(titled);
};
/** "a new show that is coming out called": the title is the fact. */
const COMING_OUT =
  / (?:that|which)(?:['’]s| is| are) (?:coming out|airing|out)(?: (?:soon|now|(?:this|next) \p{L}+))?,? (?=(?:called|named|titled) )/iu;

const ownFact = (spoken: Spoken): Told | null => {
  const direct = TURNED_OUT.test(spoken.plain) ? aboutSpeaker(spoken) : attempt(spoken.plain, spoken);
  if (direct !== null) return direct;
  const named =
    namePronoun(
      spoken.plain,
      spoken.lastClause,
      spoken.lastClause === null ? spoken.question : null,
      spoken.asked ?? null,
    ) ?? nameThem(spoken.plain, spoken.before);
  const byName = named === null ? null : attempt(named, spoken);
  if (byName !== null) return byName;
  const identified = nameDefinite(spoken.plain, spoken.before, spoken.question);
  const byThing = identified === null ? null : attempt(identified, spoken);
  if (byThing !== null) return byThing;
  for (const recast of recasts(spoken.plain)) {
    const told = attempt(recast, spoken);
    if (told !== null) return told;
  }
  const touching = aboutSpeaker(spoken);
  if (touching !== null) return touching;
  for (const text of [spoken.plain, named, identified]) {
    const told = text === null ? null : ofOther(text, spoken);
    if (told !== null) return told;
  }
  return ofPerson(spoken);
};

/** "She retired in May", "Mum retired in May", from a named speaker or the user. */
const ofPerson = (spoken: Spoken): Told | null => {
  const { plain, role, cast, mentioned } = spoken;
  if (mentioned === undefined || (isAssistant(role) && isUnnamed(cast.speaker))) return null;
  const about = aboutPerson(plain, mentioned);
  const told = about === null ? null : (attempt(about.plain, spoken) ?? ofOther(about.plain, spoken));
  return about === null || told?.kind !== 'own'
    ? null
    : { ...told, ...(about.person === null ? {} : { person: about.person }) };
};

/** "Ana organised a concert", from a named speaker or the user. */
const ofOther = (plain: string, spoken: Spoken): Told | null => {
  if (isAssistant(spoken.role) && isUnnamed(spoken.cast.speaker)) return null;
  const other = aboutOther(plain, spoken.cast);
  const told = other === null ? null : attempt(other.plain, spoken);
  if (other === null || told === null || 'text' in told) return null;
  const single =
    companionsIn(`${spoken.before} ${plain}`) === 'others' ? told.plain.replace(/\bus\b/g, 'me') : told.plain;
  return { ...told, plain: withSubject(single, other) };
};

/** "Painting helps me relax", from a named speaker or the user. */
const aboutSpeaker = ({ plain, role, cast, before }: Spoken): Told | null => {
  if (isAssistant(role) && isUnnamed(cast.speaker)) return null;
  const text = touchingSpeaker(plain);
  if (text === null || isHollow(text)) return null;
  const single = companionsIn(`${before} ${text}`) === 'others' ? text.replace(/\bus\b/g, 'me') : text;
  return { kind: 'own', plain: single, before, happens: false };
};

const attempt = (plain: string, { role, cast, before, question }: Spoken): Told | null => {
  const clause = parseClause(plain);
  if (clause === null || clause.modality === 'unreal') return null;
  const agent = isAssistant(role) && isUnnamed(cast.speaker);
  // "You" refers to a specific person if the listener has a name.
  const knowsListener = agent || !isUnnamed(cast.listener);
  const kept = trimmed(clause, knowsListener);
  if (danglingIn(withoutListener(kept, knowsListener)) !== null || !isWorthKeeping(clause, kept)) return null;
  if (agent && !isAgentsDeed(clause)) return null;
  if (lacksComplement(clause.tokens, kept)) return null;
  const asSaid = withoutLooseEnd(textOf(kept));
  // "We need better schools" is no need of the speaker alone.
  if (clause.subject === 'group' && isHollow(asSaid)) return null;
  const whole = singleGroup(asSaid, clause, before);
  const text = whole === null || isHollow(whole) ? null : nameParts(whole, before, question);
  if (text === null) return null;
  return { kind: 'own', plain: text, before: before, happens: happens(clause) };
};

/** "I made a cake with berries on it", "I am doing research for it": the end refers to nothing that is named. */
const withoutLooseEnd = (text: string): string =>
  text
    .replace(/,? and (?:got|became) (?:hooked|addicted|obsessed|interested|involved|inspired)(?=[.!,]*$)/i, '')
    .replace(
      / (?:(?:to make (?:it|things) happen)|(?:for|about|because of|after|before) (?:it|them|that))(?=[.!,]*$)/i,
      '',
    )
    .replace(
      / (?:since (?:our|my|the) last (?:chat|talk|call|conversation)|for (?:my|our) next (?:moves?|steps?)|in (?:my|our) class)(?=[.!,]*$)/i,
      '',
    )
    .replace(/ (?:two|three|four|a few|a couple of) (?:days|weeks|weekends|months) later(?=[.!,]*$)/i, '')
    .replace(/(?<=s) on (?:it|them|top)(?=[.!,]*$)/i, '')
    // "…, since my doctor told me", "… after that": the cut words said what.
    .replace(
      /,? (?:since|because|as) (?:my|our|the) [^,;]{2,30}? (?:told|asked|said|wanted|let|made|helped) (?:me|us)(?=[.!,]*$)/i,
      '',
    )
    .replace(/(?:,? actually,?)?(?: (?:straight|right|soon|shortly|just))? (?:after|(?<!than )ever)(?=[.!,]*$)/i, '')
    .replace(/ of me doing my thing(?=[.!,]*$)/i, '')
    .replace(/,? and told (?:everyone|everybody|people|me|us|them)(?=[.!,]*$)/i, '')
    .replace(
      /(?<!\b(?:called|named|say|says|said)),? (?:btw|tbh|ngl|imo|imho|lol|lmao|haha|please|pls|plz|fyi)(?=[.!,]*$)/i,
      '',
    )
    .replace(/ afterwards?(?=[.!,]*$)/i, (end, at: number, whole: string) =>
      /\b(?:and|then)\b/i.test(whole.slice(0, at)) ? end : '',
    );

const happens = ({ verb, modality, past }: Clause): boolean =>
  modality !== 'former' &&
  verb !== null &&
  (verb.kind === 'event' || verb.kind === 'light' || (verb.kind === 'state' && past));

const AGENTS_DEEDS =
  /^(?:book|order|reserve|schedule|reschedule|cancel|send|register|open|close|create|change|switch|apply|submit|transfer|sign|fix|repair|replace|host|set|move|put|collect|deliver|play|teach)$/;
/** "I have booked a table for four", from an unnamed agent. Its other statements about itself are not facts. */
const isAgentsDeed = ({ verb, tokens, modality }: Clause): boolean =>
  verb !== null &&
  modality !== 'wish' &&
  AGENTS_DEEDS.test(verb.base) &&
  tokens.some(
    (token, at) => (isName(token, at) && !/^I/.test(token.text)) || isNumber(token.key) || /day$/.test(token.key),
  );

/** "escaping to that place", "a poet like her": the cut words belonged to the last kept one. */
const lacksComplement = (tokens: readonly Token[], kept: readonly Token[]): boolean =>
  !breaksAfter(kept.at(-1)) && (lacksRelative(tokens, kept) || lacksObject(tokens, kept) || lacksEnd(tokens, kept));

/** "a meal for folks who lost their jobs": without the end, it says nothing about them. */
const lacksRelative = (tokens: readonly Token[], kept: readonly Token[]): boolean =>
  /^(?:folks|people|those|kids|children|families|anyone|someone|everyone)$/.test(kept.at(-1)?.key ?? '') &&
  /^(?:who|that)$/.test(tokens[kept.length]?.key ?? '');

/** "I am in meetings until then": true only as long as that. */
const lacksEnd = (tokens: readonly Token[], kept: readonly Token[]): boolean =>
  /^(?:until|till)$/.test(tokens[kept.length]?.key ?? '') && tokens[kept.length + 1]?.key === 'then';

const lacksObject = (tokens: readonly Token[], kept: readonly Token[]): boolean =>
  /^(?:to|like)$/.test(tokens[kept.length]?.key ?? '') &&
  /^(?:that|this|these|those|it|him|her|them)$/.test(tokens[kept.length + 1]?.key ?? '');

/** Words and verbs that make no sense without the companions. */
const MUTUAL =
  /\b(?:each other|in common|teammates|both|ourselves|our (?:own|minds|lives|differences|hearts|bodies|thoughts))\b|\beachother\b|\b[Ww]e all\b|\b(?:have|had|are|were|haven['’]t|hadn['’]t|aren['’]t|weren['’]t) all\b/i;
const MUTUAL_VERB = /^(?:share|bond|connect|chat|talk|laugh|reminisce|click|agree|reunite|hug)$/;
const MUTUAL_WITH: Readonly<Record<string, RegExp>> = {
  celebrate: /^(?:|at|in|by|after|afterwards|over|all)$/,
  catch: /^up$/,
  meet: /^(?:|up|at|in|on|through|during|when|while|online)$/,
  split: /^up$/,
  break: /^up$/,
  hang: /^out$/,
};
/**
 * If the companions are unknown, "We went" is reduced to "I went". Returns null if what is left makes no sense for one
 * person: "We connected over music".
 */
const singleGroup = (text: string, clause: Clause, before: string): string | null => {
  const { subject, tokens, subjectAt } = clause;
  if (subject !== 'group' || tokens[subjectAt + 1]?.key === 'and') return text;
  const lead = tokens.slice(0, subjectAt).map((token) => token.text);
  if (companionsIn(`${before} ${lead.join(' ')}`) !== 'others') return text;
  // "We are called Owls now": a band is, not one person.
  if (/\b[Ww]e (?:are|were) (?:\p{L}+ )?(?:called|named)\b/u.test(text)) return null;
  // "We are five now" counts them; "I am five" would be an age.
  if (
    /\b[Ww]e (?:are|were) (?:(?:now|only|already) )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten)\b/.test(text)
  )
    return null;
  if (companionsIn(text) === 'others' && isMutual(text, clause)) return null;
  return (
    text
      .replace(/\b[Ww]e (?:all |both )?are\b/, 'I am')
      .replace(/\b[Ww]e (?:all |both )?were\b/, 'I was')
      .replace(/\b[Ww]e (?:all |both )?/, 'I ')
      // "We love painting together"; in "putting together a show" the word belongs to the verb.
      .replace(/(?<!\b(?:put|putting|get|getting|got|pull|pulling|pulled|bring|bringing|brought)) together\b/g, '')
      .replace(/\bour\b/g, 'my')
      .replace(/\bus\b/g, 'me')
      .replace(/\bwe\b/g, 'I')
  );
};

const isMutual = (text: string, { verb, tokens, objectAt }: Clause): boolean =>
  MUTUAL.test(text) ||
  (verb !== null &&
    (MUTUAL_VERB.test(verb.base) || MUTUAL_WITH[verb.base]?.test(tokens[objectAt]?.key ?? '') === true));

const reported = ({ plain, role, cast }: Spoken): Told | null => {
  if (!isReport(plain)) return null;
  const tokens = tokensOf(plain.replace(/\byour\b/gi, 'Name').replace(/\byou\b/gi, 'Name'));
  if (danglingIn(tokens) !== null || !isAssistant(role) || !isUnnamed(cast.speaker)) return null;
  return { kind: 'report', plain, before: '', happens: false };
};
