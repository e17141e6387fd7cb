import type { Cast } from '../person/cast.js';
import { isNoName } from '../person/no-names.js';
import { isOrHas } from '../person/is-or-has.js';
import { addresses } from '../text/openers.js';
import { TIME_NOUNS } from './tokens.js';
import { hasFiniteVerb, verbOf } from './verbs.js';

/**
 * A clause about someone else, with "my friend" in place of its subject: so the rules for "my friend …" judge it, and the
 * subject is put back afterwards.
 */
export interface AboutOther {
  readonly plain: string;
  readonly subject: string;
}

const NAME = String.raw`\p{Lu}[\p{Ll}’'-]*\p{Ll}(?: \p{Lu}[\p{Ll}’'-]*\p{Ll}){0,2}`;
const RELATIVE = String.raw`, (?:who|whose) [^,;.!]{3,50},`;
const NOUNS = String.raw`(?:[\p{L}'’-]+ ){0,4}?[\p{L}'’-]+`;
/** "Ana", "Ana and her brother", "Ana, who is seventy,", "Ana, my sister,". */
const NAMED = new RegExp(
  String.raw`^(${NAME})((?:${RELATIVE})|(?:, (?:my|our|an?|the) [^,;.!]{3,40},)| and (?:(?:my|our|her|his) \p{Ll}+|${NAME}))? (?=\p{Ll})`,
  'u',
);
/** "A friend of mine, Ana,", "One of my students, Ana,", "The curator, Helena,". */
const WITH_NAME = new RegExp(String.raw`^(?:an?|the|one of (?:my|our|the)) ${NOUNS}, (${NAME}), (?=\p{Ll})`, 'iu');
/** "One of them, Ana," */
const ONE_OF_THEM = new RegExp(String.raw`^one of (?:them|the \p{Ll}+), (?=${NAME}, )`, 'iu');
/** "Ana's husband", "Ana's new band". */
const RELATION = new RegExp(
  String.raw`^(${NAME})['’]s (?:\p{Ll}+ ){1,2}?(?=(?:\p{Ll}+ed|has|have|had|is|was|got|went|came|took|made|wrote|won|lost|left|moved|bought|sold|broke|gave|ran|works|lives|wants) )`,
  'u',
);
/** "Emil's wife": only people have one, so it is a name. */
const KIN =
  /^(\p{Lu}\p{Ll}{1,20})['’]s (?:wife|husband|mum|mom|mother|dad|father|brother|sister|son|daughter|kids|parents|girlfriend|boyfriend|aunt|uncle|cousin|niece|nephew|grandma|grandpa|fiancée|fiancé|dog|cat) (?=\p{Ll})/u;
/** "A guy from the museum", "The lady with the gift shops", "Two of my students", "The council". */
const DESCRIBED = new RegExp(
  String.raw`^(?:an?|the|two|three|some|one of (?:my|our|the)|(?:two|three|some|half|most|part|all|none) of (?:my|our|the)) (?!(?:one|thing|best|first|last|other|only|time|day|reason|problem|idea|way|whole|same|more|fact|feeling|moment)\b)${NOUNS}`,
  'iu',
);
/** "My" people and animals of one household, who need no name. */
const HOUSEHOLD = /^the (?:kids|children|twins|boys|girls|dogs|cats) (?=\p{Ll})/iu;

/** What others do, not what they say, seem or deserve. */
const SAYS =
  /^(?:(?:is|was|are|were|has|have|had|will|always|really|just|also|still|even|never|totally|definitely|already|finally) )*(?:says?|said|thinks?|thought|tells?|told(?! (?:me|us) to\b)|knows?|knew|looks?|looked|sounds?|sounded|seems?|seemed|feels?|felt|deserves?|rocks?|rules|sucks|means?|meant|hopes?|wishes|wished|agrees?|agreed|believes?|believed|would|could|should|might|may|must|can|needs?|makes sense|remind(?:s|ed)?|inspired?|motivated?|(?:got|gets|has) (?:me|us) (?:thinking|interested|excited|hooked|into)|love|loves|loved)\b/i;

const TITLE = /^(?:Dr|Mr|Mrs|Ms|Professor|Prof|Coach|Chef|Pastor|Reverend|Aunt|Auntie|Uncle|Grandma|Grandpa) /u;
const isSomeone = (name: string, { speaker, listener, others }: Cast): boolean => {
  const first = name.replace(TITLE, '').split(' ')[0] ?? '';
  if (isNoName(first) || TIME_NOUNS.has(first.toLowerCase())) return false;
  if (isSpeaker(first, { speaker, listener })) return false;
  return others?.has(first) === true;
};

const isSpeaker = (name: string, { speaker, listener }: Cast): boolean =>
  addresses(name, listener) || addresses(name, speaker);

/** A clause whose subject is a named person, or someone described who does something to or for the speaker. */
export const aboutOther = (clause: string, cast: Cast): AboutOther | null => {
  if (/\b(?:you|your|you're|if)\b/i.test(clause)) return null;
  const full = isOrHas(clause).replace(ONE_OF_THEM, '');
  const named = NAMED.exec(full);
  if (named !== null && isSomeone(named[1] ?? '', cast))
    return withPlaceholder(full, named[0], /^[^,]* and /.test(named[0]));
  const introduced = WITH_NAME.exec(full);
  if (introduced !== null && isSomeone(introduced[1] ?? '', cast)) return withPlaceholder(full, introduced[0], false);
  const kin = KIN.exec(full);
  if (
    kin !== null &&
    !isNoName(kin[1] ?? '') &&
    !isSpeaker(kin[1] ?? '', cast) &&
    beginsWithVerb(full.slice(kin[0].length))
  )
    return withPlaceholder(full, kin[0], /s $/.test(kin[0]));
  const relation = RELATION.exec(full);
  if (relation !== null && isSomeone(relation[1] ?? '', cast) && beginsWithVerb(full.slice(relation[0].length)))
    return withPlaceholder(full, relation[0], /s $/.test(relation[0]));
  const household = HOUSEHOLD.exec(full);
  if (household !== null) return withPlaceholder(full, household[0], true);
  return described(full);
};

const beginsWithVerb = (rest: string): boolean => hasFiniteVerb(rest.split(' ').slice(0, 2));

/** A town has one. */
const BODY =
  /^the (?:\p{L}+ )?(?:council|government|university|library|police|insurance|embassy|parish|mayor|tax office|town hall|embassy|hospital)$/iu;
const FINITE = /^(?:has|have|had|is|are|was|were|wants?|just|even|recently|also|kindly)$/;
/** The subject ends before the first finite verb. */
const described = (clause: string): AboutOther | null => {
  if (!DESCRIBED.test(clause) || !/\b(?:me|us|my|our)\b/.test(clause)) return null;
  const isMine = /^(?:one|two|three|some|half|most|part|all|none) of (?:my|our) /i.test(clause);
  const words = clause.split(' ');
  for (let at = 2; at < Math.min(words.length - 1, 9); at += 1) {
    const word = words[at] ?? '';
    if (/^(?:I|we|that|which|who|my|our|me|us)$/.test(word) || /[,;:]$/.test(words[at - 1] ?? '')) {
      if (!/^(?:my|our)$/.test(word) || /[,;:]$/.test(words[at - 1] ?? '')) return null;
      continue;
    }
    const verb = verbOf(word);
    if (
      !FINITE.test(word) &&
      verb?.form !== 'past' &&
      !(verb?.form === 'third' && /^(?:wants|owes|gives|lets|pays|teaches)$/.test(word))
    )
      continue;
    const rest = words.slice(at).join(' ');
    // "A guy called me": something has to be done to or for the speaker.
    if (
      (!isMine && !/^(?:[\p{L}'’-]+ ){1,8}?(?:me|us|my|our)\b/u.test(rest)) ||
      /\b(?:told|called|named|made|mad|took)\b/.test(word)
    )
      return null;
    const subject = words.slice(0, at).join(' ');
    if (/^the (?!.* (?:with|from|of|at|in|for|on|behind|near|next)\b)/i.test(subject) && !BODY.test(subject))
      return null;
    return withPlaceholder(clause, `${subject} `, /^(?:two|three|some|most|all)\b/i.test(subject));
  }
  return null;
};

const withPlaceholder = (clause: string, subject: string, isPlural: boolean): AboutOther | null => {
  const rest = clause.slice(subject.length);
  return SAYS.test(rest) ? null : { plain: `${isPlural ? PLURAL : SINGULAR} ${rest}`, subject: subject.trim() };
};
const SINGULAR = 'my friend';
const PLURAL = 'my friends';

/** The fact with its own subject. */
export const withSubject = (fact: string, { subject }: AboutOther): string =>
  fact.replace(/^my friends?\b/, () => subject);

export const examples = [
  ['Ana organised a lantern parade in May', 'Ana organised a lantern parade in May'],
  ["Ana's moving to Ghent next week", 'Ana is moving to Ghent next week'],
  ["Ana's bought a used kayak", 'Ana has bought a used kayak'],
  ['Ana, who is eighty, won the egg race in Hue', 'Ana, who is eighty, won the egg race in Hue'],
  ["Ana's husband adopted a parrot", "Ana's husband adopted a parrot"],
  ['Ana and her brother built me a shed', 'Ana and her brother built me a shed'],
  ['Dr Ana lent me a book about bees', 'Dr Ana lent me a book about bees'],
  ['Ana got fired', 'Ana got fired'],
  ["Wim's wife had twins", "Wim's wife had twins"],
  ['A friend of mine, Ana, used to be a sailor', 'A friend of mine, Ana, used to be a sailor'],
  [
    'One of my pupils, Ana, reached the semifinals of a quiz',
    'One of my pupils, Ana, reached the semifinals of a quiz',
  ],
  ['Half of my tomatoes got ruined', 'Half of my tomatoes got ruined'],
  ['A toy shop from Leeds wants to sponsor us', 'A toy shop from Leeds wants to sponsor me'],
  ['The council is funding us for two years', 'The council is funding me for two years'],
  ['The man with the boats still owes me two hundred', 'The man with the boats still owes me two hundred'],
  ['The kids want to sail to Oslo', 'The kids want to sail to Oslo'],
] as const satisfies readonly (readonly [string, string])[];

export const notAboutOthers = [
  'Ana says the trick is to listen',
  "Nora's wife had twins",
  "Yesterday's dog had fleas",
  'Ana is amazing',
  'Ana looks great in a blue coat',
  'Ana would love a kayak for her birthday',
  'Ana told you about the parade in May',
  'Ana bought it last week',
  'Ana reminded me of a film about owls',
  'Nora organised a lantern parade in May',
  'Tom organised a lantern parade in May',
  'Lanterns lit a parade in May',
  'Yesterday got rained off in Ghent',
  "Ana's painting hangs in Ghent",
  'The book got me thinking about a kayak',
  'The mood gave me a reason to leave Ghent',
  'The power reminded me of a storm in May',
  'A kayak costs two hundred in Ghent',
  'They organised a lantern parade in May',
] as const;
