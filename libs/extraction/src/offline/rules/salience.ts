import { wordCount } from '../text/clauses.js';

/** One sign that a clause says something lasting about its speaker, or that it does not. */
interface Sign {
  readonly name: string;
  readonly pattern: RegExp;
  readonly weight: number;
}

const SIGNS: readonly Sign[] = [
  { name: 'i', pattern: /\bI\b/, weight: 2 },
  { name: 'we', pattern: /\bwe\b/i, weight: 1 },
  { name: 'my', pattern: /\b(?:my|our|mine)\b/i, weight: 2 },
  { name: 'me', pattern: /\b(?:me|us|myself)\b/i, weight: 1 },
  {
    name: 'event',
    pattern:
      /\b(?:I|we) (?:\w+ )?(?:went|got|took|had|made|met|started|joined|bought|saw|tried|finished|signed|moved|visited|found|decided|lost|won|did|read|watched|learned|began|adopted|lived|worked|studied|graduated|married|\w{3,}ed)\b/i,
    weight: 2,
  },
  {
    name: 'plan',
    pattern:
      /\b(?:going to|plan(?:s|ning)?|want to|hop(?:e|ing) to|looking (?:into|for|forward)|thinking (?:of|about)|considering|working on|dream|goal|will be|about to|decided)\b/i,
    weight: 1,
  },
  {
    name: 'taste',
    pattern:
      /\b(?:love|enjoy|like|prefer|favou?rite|fan of|passion(?:ate)?|hate|can't stand|into|interested|obsessed)\b/i,
    weight: 1,
  },
  {
    name: 'state',
    pattern: /\b(?:I (?:am|have|was|used to)|(?:I|we) (?:have|own|live|work|run|teach|play|study|speak))\b/i,
    weight: 1,
  },
  {
    name: 'family',
    pattern:
      /\b(?:my|our|the) (?:\w+ )?(?:kids?|family|husband|wife|partner|son|daughter|mom|dad|mother|father|parents|sister|brother|friends?|dogs?|cats?|pets?|grand\w+|aunt|uncle|cousin|boss|job|work|team|home|house|car|studio|store|business)\b/i,
    weight: 1,
  },
  {
    name: 'time',
    pattern:
      /\b(?:yesterday|today|tonight|tomorrow|last|next|ago|since|recently|lately|every|weekly|daily|always|usually|years?|months?|weeks?|weekends?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|june|july|august|september|october|november|december)\b/i,
    weight: 1,
  },
  {
    name: 'number',
    pattern: /\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|first|second|third)\b/i,
    weight: 1,
  },
  { name: 'name', pattern: /(?<=\w[\w,;]* )(?!I\b)\p{Lu}[\p{L}’']+/u, weight: 1 },
  { name: 'title', pattern: /["“][^"”]{3,}["”]/, weight: 1 },
  {
    // "We can all make a difference" is about everybody.
    name: 'everybody',
    pattern:
      /^(?!.*\b(?:I|me|my|mine|myself)\b).*(?:\bwe (?:\w+ )?(?:can|could|should|must|need to|all have|all need|might)\b|\b(?:when|if|how|what|that) we\b|\b(?:remind|help|make|let|give|show|bring|connect|keep|take|teach|guide|allow|push)\w* us\b|\bourselves\b|\bour (?:lives|selves|true|world|day|days|dreams|goals|feelings|minds?|souls?|potential)\b)/i,
    weight: -2,
  },
  { name: 'you', pattern: /\b(?:you|your|yours)\b/i, weight: -2 },
  { name: 'vague', pattern: /^(?:it|that|this|those|these|there)\b/i, weight: -1 },
  {
    name: 'opinion',
    pattern: /\bI (?:\w+ )?(?:think|guess|believe|feel like|know|mean|hope|wish|bet|suppose)\b/,
    weight: -1,
  },
];
const LENGTHS: readonly (readonly [words: number, weight: number])[] = [
  [6, 1],
  [10, 1],
  [16, 1],
];

/** How much a clause looks like a fact worth keeping; compared with `KEEP_FROM`. */
export const salienceOf = (clause: string): number => {
  const words = wordCount(clause);
  const length = LENGTHS.reduce((sum, [from, weight]) => sum + (words >= from ? weight : 0), 0);
  return SIGNS.reduce((sum, sign) => sum + (sign.pattern.test(clause) ? sign.weight : 0), length);
};

/** Chosen on the conversations the rules were tuned on; see docs/quality.md. */
export const KEEP_FROM = 3;
