import { type Cast, isUnnamed } from '../person/cast.js';
import { companionsIn } from '../person/companions.js';
import { namePronoun } from '../reference/name-pronoun.js';
import { isReport } from '../rules/reported.js';
import { isAssistant } from '../rules/speakable.js';
import { type Clause, parseClause } from './clause.js';
import { danglingIn } from './dangling.js';
import { isHollow } from './hollow.js';
import { recasts } from './recast.js';
import { isName, isNumber, textOf, tokensOf } from './tokens.js';
import { touchingSpeaker } from './touches.js';
import { trimmed, withoutListener } from './trim.js';
import { isWorthKeeping } from './worth.js';

/** What a clause tells, ready to be written down. */
export type Told =
  | {
      /** `own`: about the speaker; `report`: about something else, kept as the speaker's words. */
      readonly kind: 'own' | 'report';
      /** In the first person, cut to what it tells. */
      readonly plain: string;
      /** What the message says before it. */
      readonly before: string;
      /** It tells of something that happened, or will. */
      readonly happens: boolean;
    }
  | { readonly kind: 'written'; readonly text: string };

/** A clause of one speaker. */
export interface Spoken {
  readonly plain: string;
  /** The clause said right before by the same speaker in this message. */
  readonly lastClause: string | null;
  readonly question: string | null;
  readonly cast: Cast;
  readonly role: string;
  /** All that the message says before. */
  readonly before: string;
}

/** Longest clause that is one fact, in characters; a longer one is a monologue. */
const MAX_LENGTH = 400;

/** The fact of a clause, or null for one that tells none, or hangs on something that it does not name. */
export const factIn = (spoken: Spoken): Told | null => {
  if (spoken.plain.length > MAX_LENGTH) return null;
  return ownFact(spoken) ?? reported(spoken);
};

const ownFact = (spoken: Spoken): Told | null => {
  const direct = attempt(spoken.plain, spoken);
  if (direct !== null) return direct;
  const named = namePronoun(spoken.plain, spoken.lastClause, spoken.lastClause === null ? spoken.question : null);
  const byName = named === null ? null : attempt(named, spoken);
  if (byName !== null) return byName;
  for (const recast of recasts(spoken.plain)) {
    const told = attempt(recast, spoken);
    if (told !== null) return told;
  }
  return aboutSpeaker(spoken);
};

/** "Painting helps me relax" of somebody with a name, or of the user. */
const aboutSpeaker = ({ plain, role, cast, before }: Spoken): Told | null => {
  if (isAssistant(role) && isUnnamed(cast.speaker)) return null;
  const text = touchingSpeaker(plain);
  return text === null || isHollow(text) ? null : { kind: 'own', plain: text, before, happens: false };
};

const attempt = (plain: string, { role, cast, before }: Spoken): Told | null => {
  const clause = parseClause(plain);
  if (clause === null || clause.modality === 'unreal') return null;
  const agent = isAssistant(role) && isUnnamed(cast.speaker);
  // "You" is somebody in particular where the listener has a name.
  const knowsListener = agent || !isUnnamed(cast.listener);
  const kept = trimmed(clause, knowsListener);
  if (danglingIn(withoutListener(kept, knowsListener)) !== null || !isWorthKeeping(clause, kept)) return null;
  if (agent && !isAgentsDeed(clause)) return null;
  const text = singleGroup(withoutLooseEnd(textOf(kept)), clause, before);
  if (isHollow(text)) return null;
  return { kind: 'own', plain: text, before: before, happens: happens(clause) };
};

/** "I made a cake with berries on it", "I am doing research for it": the end says nothing that is named. */
const withoutLooseEnd = (text: string): string =>
  text
    .replace(
      / (?:(?:to make (?:it|things) happen)|(?:for|about|because of|after|before) (?:it|them|that))(?=[.!,]*$)/i,
      '',
    )
    .replace(/(?<=s) on (?:it|them|top)(?=[.!,]*$)/i, '');

const happens = ({ verb, modality, past }: Clause): boolean =>
  modality !== 'former' &&
  verb !== null &&
  (verb.kind === 'event' || verb.kind === 'light' || (verb.kind === 'state' && past));

const AGENTS_DEEDS =
  /^(?:book|order|reserve|schedule|reschedule|cancel|send|register|open|close|create|change|switch|apply|submit|transfer|sign|fix|repair|replace|host|set|move|put|collect|deliver|play|teach)$/;
/** "I have booked a table for four" of an unnamed agent; what it says of itself beyond that is talk. */
const isAgentsDeed = ({ verb, tokens, modality }: Clause): boolean =>
  verb !== null &&
  modality !== 'wish' &&
  AGENTS_DEEDS.test(verb.base) &&
  tokens.some(
    (token, at) => (isName(token, at) && !/^I/.test(token.text)) || isNumber(token.key) || /day$/.test(token.key),
  );

/** "We went" of somebody whose company is not named is "I went", as far as one knows. */
const singleGroup = (text: string, { subject, tokens, subjectAt }: Clause, before: string): string => {
  if (
    subject !== 'group' ||
    tokens[subjectAt + 1]?.key === 'and' ||
    /\b(?:each other|in common|together|teammates|both)\b|\beachother\b/i.test(text)
  )
    return text;
  const lead = tokens.slice(0, subjectAt).map((token) => token.text);
  if (companionsIn(`${before} ${lead.join(' ')}`) !== 'others') return text;
  return text
    .replace(/\b[Ww]e (?:all |both )?are\b/, 'I am')
    .replace(/\b[Ww]e (?:all |both )?were\b/, 'I was')
    .replace(/\b[Ww]e (?:all |both )?/, 'I ')
    .replace(/\bour\b/g, 'my')
    .replace(/\bus\b/g, 'me')
    .replace(/\bwe\b/g, 'I');
};

const reported = ({ plain, role, cast }: Spoken): Told | null => {
  if (!isReport(plain)) return null;
  const tokens = tokensOf(plain.replace(/\byour\b/gi, 'Name').replace(/\byou\b/gi, 'Name'));
  if (danglingIn(tokens) !== null || !isAssistant(role) || !isUnnamed(cast.speaker)) return null;
  return { kind: 'report', plain, before: '', happens: false };
};
