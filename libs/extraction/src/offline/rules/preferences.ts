/** The kind of preference that a clause states. */
export type PreferenceKind = 'like' | 'dislike' | 'habit' | 'constraint';

const ADVERB = String.raw`(?:really|also|just|always|especially|absolutely|totally|still|truly|do|both|all|personally|so|very|pretty|super|such|quite|kind of|kinda|actually|particularly)`;
const I = String.raw`\b(?:I|we)(?: ${ADVERB}){0,2}`;
const AM = String.raw`\b(?:am|are|have been|was) (?:${ADVERB} ){0,2}`;

const PATTERNS: Readonly<Record<PreferenceKind, readonly string[]>> = {
  constraint: [
    String.raw`${AM}(?:not )?(?:allergic|intolerant|vegan|vegetarian|diabetic|pescatarian|lactose|gluten|coeliac|celiac|afraid|scared|allowed|unable|sensitive)\b`,
    String.raw`${I} (?:cannot|can't|can not|must not|mustn't|don't|do not|never) (?:\w+ )?(?:eat|drink|use|take|drive|work|fly|tolerate|smoke|touch|watch|wear|speak|swim)\b`,
    String.raw`${I} can only\b`,
    String.raw`${I} (?:avoid|only eat|only drink|eat (?:halal|kosher|\p{L}+[ -]free))\b`,
    String.raw`\bmy (?:\w+ )?(?:allergy|allergies|intolerance|diet|disability|budget)\b`,
    String.raw`${I} (?:have to|need to|try to) (?:avoid|be careful|watch)\b`,
  ],
  dislike: [
    String.raw`${I} (?:hate|dislike|detest|loathe|despise|can't stand|cannot stand|am not into|am tired of|am sick of)\b`,
    String.raw`${I} (?:don't|do not) (?:really )?(?:like|enjoy|love|care for)\b`,
    String.raw`${AM}not (?:a|much of a) (?:\w+ )?fan\b`,
    String.raw`\bmy (?:pet peeve|least favou?rite)\b`,
  ],
  like: [
    String.raw`${I} (?:love|loved|adore|enjoy|enjoyed|like|prefer|crave|treasure|cherish|value)\b(?! to (?:hear|see you|know|have you))`,
    String.raw`${AM}(?:a (?:\w+ )?(?:fan|lover)|fond of|keen on|obsessed|passionate|crazy about|into|interested in|hooked on|addicted to)\b`,
    String.raw`\bmy (?:\w+ )?(?:fav(?:ou?rites?|e|s)?|go-to|passion|hobby|hobbies|happy place)\b`,
    String.raw`\b(?:makes?|keeps?|brings?|gives?|helps?) me (?:so |really |very |a lot of |such |lots of )*(?:happy|joy|relax|calm|peace|energy|comfort|unwind|de-?stress|express|stay)`,
  ],
  habit: [
    String.raw`\b(?:I|we)(?: also| do| am| are| have)* (?:usually|always|often|normally|typically|generally|regularly|tend to|sometimes|rarely|never)\b`,
    String.raw`\b(?:I|we)\b.*\b(?:every|each) (?:single )?(?:day|morning|evening|night|week|weekend|month|year|summer|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b`,
    String.raw`\b(?:I|we)\b.*\b(?:once|twice|three times|a few times|a couple of times) a (?:day|week|month|year)\b`,
    String.raw`\b(?:I|we)\b.*\bon (?:weekends|weekdays|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b`,
    String.raw`\b(?:I|we)\b.*\b(?:daily|weekly|in my (?:free|spare) time)\b`,
  ],
};
const KINDS = Object.entries(PATTERNS).map(([kind, patterns]): [PreferenceKind, RegExp] => [
  kind as PreferenceKind,
  new RegExp(patterns.join('|'), 'iu'),
]);

/** The kind of the speaker's preference in a clause; null if none. Expects expanded contractions. */
export const preferenceIn = (clause: string): PreferenceKind | null =>
  KINDS.find(([, pattern]) => pattern.test(clause))?.[0] ?? null;
