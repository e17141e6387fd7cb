import { withoutEnd } from '@turnkeeper/domain';
import { type Day, dayLabel, dayOf } from './calendar.js';
import { withNamedYear } from './named-year.js';
import { FAMILIES, type Moment, type Tense } from './phrases.js';

export const PHRASE = new RegExp(
  FAMILIES.map(({ pattern }, index) => `(?<f${index}>${unnamed(pattern)})`)
    .map(bounded)
    .join('|'),
  'giu',
);
const SINGLE = FAMILIES.map(({ pattern }) => new RegExp(`^(?:${pattern})`, 'iu'));
/** Cheap check before the expensive one. */
export const HINT =
  /\b(?:yesterday|tomorrow|tonight|today|ago|back|at|last|past|next|this|in|on|over|during|early|late)\b/i;
/** After these, the phrase is a noun: "since last week". */
const NOUN_PLACE = /\b(?:since|until|till|by|from|for|before|after|during|of|than|is|was|be)\s+$/i;

function unnamed(pattern: string): string {
  return pattern.replace(/\(\?<\w+>/g, '(?:');
}
function bounded(pattern: string): string {
  return String.raw`\b${pattern}\b`;
}

/**
 * Replaces relative dates with calendar dates: "went hiking yesterday" becomes "went hiking (7 May 2023)". An ambiguous
 * phrase is kept and followed by "(said on 8 May 2023)".
 *
 * @param at when it was said, ISO 8601; the date is taken at its own offset
 */
export const resolveDates = (said: string, at: string): string => {
  const today = HINT.test(said) ? dayOf(at) : null;
  if (today === null) return said;
  const clause = withNamedYear(said, today);
  const tense = tenseOf(clause);
  let ambiguous = false;
  const dated = clause.replace(PHRASE, (...args: unknown[]) => {
    const phrase = String(args[0]);
    const offset = Number(args.find((value) => typeof value === 'number'));
    const moment = momentOf(phrase, today, tense);
    if (moment === null) {
      ambiguous ||= /^(?:on(?! the weekend)|next) /i.test(phrase);
      return phrase;
    }
    return placed(phrase, moment, clause.slice(0, offset), clause.slice(offset + phrase.length));
  });
  const tidy = dated
    .replace(/^(?:just|only|even|and|so) (?=(?:On|In|Over) )/i, '')
    .replace(/\s{2,}/g, ' ')
    .replace(/\s\(/g, ' (')
    .replace(/\s([,.;!])/g, '$1');
  return ambiguous ? `${withoutEnd(tidy, /[.!\s]/)} (said on ${dayLabel(today)})` : tidy;
};

export const momentOf = (phrase: string, today: Day, tense: Tense): Moment | null => {
  for (const [index, family] of FAMILIES.entries()) {
    const match = SINGLE[index]?.exec(phrase);
    if (match?.[0].length === phrase.length) return family.resolve(match.groups ?? {}, today, tense);
  }
  return null;
};

const placed = (phrase: string, moment: Moment, before: string, after: string): string => {
  if (/^['’]s\b/.test(after)) return phrase; // "yesterday's class": the words are part of a name
  if (/^(?:just|only|even|and|so|but)?\s*$/i.test(before)) {
    if (/^\s*(?:was|is|has|had|will)\b/i.test(after)) return `${phrase} (${moment.label.replace(/^the /, '')})`;
    const comma = /^\s*[,–-]/.test(after) ? '' : ',';
    const label = moment.label.replace(/^about /, '');
    return `${label === moment.label ? capital(moment.preposition) : 'Around'} ${label}${comma}`;
  }
  if (NOUN_PLACE.test(before)) return moment.label;
  return `(${moment.label.replace(/^the /, '')})`;
};

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Approximate tense of a clause; enough to tell "on Friday I went" from "on Friday I'm going". */
export const tenseOf = (clause: string): Tense => {
  if (
    /\b(?:will|going to|gonna|won't|plan(?:s|ning)?|hop(?:e|ing)|can't wait|look(?:ing)? forward|scheduled|about to|starting (?:in|on|from|next)|thinking (?:of|about)|wants?|would like to|starts?|tomorrow)\b|['’]ll\b|\b(?:am|are|['’]re|['’]m) (?:\w+ )?(?!\w*(?:been))\w+ing\b|\bis (?:also |even |finally |just )?(?!(?:amaz|excit|interest|inspir|reward|challeng|relax|tir|bor|annoy|confus|touch|mov|surpris|shock|stunn|charm|outstand|noth|someth|everyth|anyth)ing\b)\w{2,}ing\b/i.test(
      clause,
    )
  ) {
    return 'future';
  }
  if (/\bused to\b/i.test(clause)) return 'unknown';
  return /\b(?:was|were|did|had|went|got|took|made|met|saw|came|found|gave|told|said|bought|won|lost|began|felt|ran|ate|left|moved|quit|sold|broke|built|taught|wrote|drove|flew|rode|swam|sang|chose|spent|paid|sent|lent|slept|fell|grew|drew|threw|wore|tore|stole|caught|brought|fought|held|heard|became|forgot|learnt|burnt|(?!(?:need|feed|speed|seed|weed|bleed|breed|indeed|exceed|proceed|succeed|hundred|naked|wicked|sacred)\b)\w{2,}ed)\b/i.test(
    clause,
  )
    ? 'past'
    : 'unknown';
};
