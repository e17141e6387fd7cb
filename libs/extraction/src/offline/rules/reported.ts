import { wordCount } from '../text/clauses.js';
import { mentionsListener } from './subject.js';

const SPECIFICS: readonly RegExp[] = [
  /(?<!\w)[$€£]?\d/,
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:january|february|march|april|june|july|august|september|october|november|december|tomorrow|yesterday|tonight)\b/i,
  /(?<=\p{L}[,;]{0,2} )(?!I\b)\p{Lu}[\p{L}’']+/u,
  /["“][^"“”]{3,}["”]/,
];
const STATES =
  /\b(?:is|are|was|were|has|have|had|will|costs?|opens?|closes?|starts?|ends?|begins?|takes?|needs?|includes?|arrives?|leaves?|ships?|offers?|serves?|works?|lives?|died|moved|won|\w{3,}ed)\b|['’]s\b/i;
const ADVICE = /\b(?:you (?:should|could|can|must|might|may|will|are|have|deserve|would|sure|really)|let's)\b/i;

/**
 * Whether a clause without "I" states something about the world or the listener's affairs that is worth keeping as a
 * report. It must be specific: contain two of a number, a date, a name and a title, or one if it concerns something of
 * the listener's ("your table is booked for Friday").
 */
export const isReport = (clause: string): boolean => {
  if (wordCount(clause) < 5 || !STATES.test(clause) || ADVICE.test(clause)) return false;
  const numbers =
    clause.match(/(?<![\w.]|\d[,:])[$€£]?\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve)\b/gi)?.length ??
    0;
  const specifics = SPECIFICS.filter((pattern) => pattern.test(clause)).length + (numbers > 1 ? 1 : 0);
  return mentionsListener(clause) ? /^your\b/i.test(clause) && specifics >= 1 : specifics >= 2;
};
