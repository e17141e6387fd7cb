/** Likes, dislikes, habits and constraints of the person speaking. `clause` has its contractions spelled out. */
export type PreferenceKind = 'like' | 'dislike' | 'habit' | 'constraint';

const OWN = String.raw`\b(?:I|we)\b(?: \w+){0,2}?`;
const KINDS: readonly (readonly [PreferenceKind, RegExp])[] = [
  [
    'constraint',
    new RegExp(
      String.raw`${OWN} (?:am|are) (?:\w+ )?(?:allergic|intolerant|vegan|vegetarian|diabetic|pescatarian|lactose|gluten|coeliac|celiac|afraid|scared|not allowed|unable)\b|${OWN} (?:cannot|can't|can not|must not|mustn't|don't|do not|never) (?:\w+ )?(?:eat|drink|have|use|take|do|drive|work|fly|tolerate|smoke|touch|watch|wear|speak)\b|\bmy (?:\w+ )?(?:allergy|allergies|intolerance|diet|disability)\b|${OWN} (?:have to|need to|try to) (?:avoid|be careful|watch)\b`,
      'i',
    ),
  ],
  [
    'dislike',
    new RegExp(
      String.raw`${OWN} (?:hate|dislike|detest|loathe|despise|can't stand|cannot stand|don't (?:really )?(?:like|enjoy|love|care for)|do not (?:like|enjoy)|am not (?:a|much of a) (?:\w+ )?fan|am not into|am tired of|am sick of)\b|\bmy (?:pet peeve|least favou?rite)\b`,
      'i',
    ),
  ],
  [
    'like',
    new RegExp(
      String.raw`(?<!would )(?<!'d )\b(?:I|we)\b (?!would)(?:(?!would)\w+ ){0,2}?(?:love|loved|adore|enjoy|enjoyed|like|prefer|crave|treasure|cherish|value)\b(?! to (?:hear|see you|know))|\b(?:am|are) (?:\w+ )?(?:a (?:\w+ )?(?:fan|lover)|fond|keen|obsessed|passionate|crazy|into|interested|hooked|addicted)\b|\bmy (?:\w+ )?(?:fav(?:ou?rites?|e|s)?|go-to|passion|hobby|hobbies|happy place|thing)\b|\b(?:makes?|keeps?|brings?|gives?|helps?) me (?:so |really |very |a lot of |such |lots of )*(?:happy|joy|relax|calm|peace|energy|comfort|unwind|de-?stress|feel|express|stay)`,
      'i',
    ),
  ],
  [
    'habit',
    new RegExp(
      String.raw`${OWN} (?:usually|always|often|normally|typically|generally|regularly|tend to|sometimes|rarely|never)\b|${OWN}.*\b(?:every (?:day|morning|evening|night|week|weekend|month|year|summer|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|(?:once|twice|three times|a few times|a couple of times) a (?:day|week|month|year)|on (?:weekends|weekdays|(?:mon|tues|wednes|thurs|fri|satur|sun)days)|each (?:day|week|morning|night)|daily|weekly|in my (?:free|spare) time|to (?:relax|unwind|de-?stress|destress|clear my head|clear my mind))\b`,
      'i',
    ),
  ],
];

export const preferenceIn = (clause: string): PreferenceKind | null =>
  KINDS.find(([, pattern]) => pattern.test(clause))?.[0] ?? null;
