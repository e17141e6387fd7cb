import { withoutEnd } from '@turnkeeper/domain';
import { hasFiniteVerb, pastOf, verbOf } from '../facts/verbs.js';
import { allergicTo } from './allergic-to.js';
import { eats } from './eats.js';

/** Combines a short answer with its question into a first-person clause. Returns null if they give no fact. */
export const answerClause = (question: string, answer: string): string | null => {
  const asked = tidy(question.replace(/ like (?:that|this|those|these)\b/i, ''));
  const said = withoutEnd(answer, /[.!…\s]/).trim();
  if (asked === null || said === '') return null;
  for (const form of FORMS) {
    const made = form(asked, said);
    if (made !== null) return made;
  }
  return null;
};

const LEAD =
  /^(?:(?:and|so|ok|okay|great|nice|lovely|cool|well|by the way|now|thanks|thank you|hi|hello|alright|perfect)[,!. ]+)+/i;
const tidy = (question: string): string | null => {
  const bare = withoutEnd(question.trim().replace(LEAD, ''), /\?/)
    .replaceAll('’', "'")
    .replace(/^(?:is|are) there (?=any)/i, '')
    .replace(/\b(anything|foods?|ingredients?|drinks?) that (?=you\b)/i, '$1 ')
    .replace(/\b(what|where|when|who|how)'s\b/i, '$1 is')
    .trim();
  return bare.length > 120 || /\b(?:it|that|this|they|them|there|he|she)\b/i.test(bare) ? null : bare;
};

const YES =
  /^(?:yes|yeah|yep|yup|sure do|i do|i am|i have|correct|right|indeed|of course)\b[,! ]*(?:i (?:do|am|have|did|can)|we (?:do|are|have))?$/i;
const NO =
  /^(?:no|nope|nah|not really|not at all|none|never|no,? (?:i (?:don't|do not|am not|haven't|did not|didn't|can't)|i'm not|none|not really|never)|nope,? (?:none|never|not really)|not any more|not anymore)$/i;
const NOT_SINCE = /^(?:no,? |nope,? )?not (since|until|after|before|on|in|at|for) (.+)$/i;
const polarity = (said: string): boolean | null => {
  const bare = said.replace(/[,!]+/g, ',').trim();
  return YES.test(bare) ? true : NO.test(bare) ? false : null;
};

/** Changes the question's "you" and "your" to the first person. */
const turned = (text: string): string =>
  text
    .replace(/\byourself\b/gi, 'myself')
    .replace(/\byour\b/gi, 'my')
    .replace(/\byou\b/gi, 'I');
/** "any allergies" → "allergies". */
const withoutAny = (text: string): string => text.replace(/\bany\b ?/i, '');
/** An offer or a request is not a question about a person. */
const OFFER =
  /^(?:would|could|can|may|shall|should|will) |\b(?:want me|like me|need help|like some|want some|do you mind|do you know|do you think|do you want|did you know|have you (?:seen|heard|tried))\b/i;

type Form = (asked: string, said: string) => string | null;

const doYou: Form = (asked, said) => {
  const match = /^(?:do|does) (you|your [\w' ]+?) (\w+)\b ?([^]*)/i.exec(asked);
  if (match === null || OFFER.test(asked) || verbOf(match[2] ?? '')?.form !== 'base') return null;
  const [, who = '', verb = '', rest = ''] = match;
  const subject = turned(who);
  const since = NOT_SINCE.exec(said);
  const negation = /^you$/i.test(who) ? "don't" : "doesn't";
  if (since !== null)
    return `${subject} ${negation} ${verb} ${turned(withoutAny(rest))} ${since[1]?.toLowerCase() === 'since' ? '(not since' : `(not ${since[1] ?? ''}`} ${since[2] ?? ''})`.replace(
      /\s+/g,
      ' ',
    );
  const yes = polarity(said);
  if (yes === null) return null;
  // Keep the hedge in "not really".
  const reserve = /not really/i.test(said) && !yes ? 'really ' : '';
  const positive = /^you$/i.test(who) ? verb : verb === 'have' ? 'has' : `${verb}s`;
  return `${subject} ${yes ? positive : `${negation} ${reserve}${verb}`} ${turned(yes ? withoutAny(rest) : rest)}`.trim();
};

const areYou: Form = (asked, said) => {
  const match = /^(?:are|is) (you|your [\w']+) (.+)$/i.exec(asked);
  const yes = polarity(said);
  if (
    match === null ||
    yes === null ||
    (yes && /\b(?:anything|something|anyone)\b/i.test(match[2] ?? '')) ||
    /\b(?:ready|sure|ok|okay|there|well|looking|calling|free|interested|happy|good)\b/i.test(match[2] ?? '')
  )
    return null;
  const you = /^you$/i.test(match[1] ?? '');
  return `${turned(match[1] ?? '')} ${you ? 'am' : 'is'} ${yes ? '' : 'not '}${turned(match[2] ?? '')}`;
};

const haveYou: Form = (asked, said) => {
  const match = /^have you (?:ever )?(.+?)(?: before)?$/i.exec(asked);
  const often = OFTEN.exec(said)?.[1];
  const yes = often === undefined ? polarity(said) : true;
  // "Oslo or Hue" – "Twice" does not say which.
  if (match === null || yes === null || OFFER.test(asked) || (often !== undefined && /\bor\b/i.test(asked)))
    return null;
  return `I have ${yes ? '' : 'never '}${turned(match[1] ?? '')}${often === undefined ? '' : ` ${often.toLowerCase()}`}`;
};
/** "Yes, plenty of times." */
const OFTEN =
  /^(?:(?:yes|yeah|yep|yup|sure|oh yes)[,! ]+)?((?:once|twice|(?:plenty of|lots of|many|several|a few|a couple of|three|four|five) times)(?: before)?)$/i;

const isBare = (said: string): boolean =>
  said.split(/\s+/).length <= 8 &&
  polarity(said) === null &&
  !/\b(?:i|we|my|you|your|don't know|not sure|why|thanks?|it depends|maybe|guess|think)\b/i.test(said) &&
  !/\?/.test(said);
const short = (said: string): string =>
  said.replace(/^(?:it's|it is|that's|oh|well|um|uh|just|about|probably)[, ]+/i, '');
const lower = (text: string): string =>
  /^(?:In|At|On|Near|Twice|Once|Three|Two|One|Four|Five|Six|Every|Since|A|An|The|About|Around|Last|Next|Yesterday|From|By|Every|Daily|Never|Only|Not)\b/.test(
    text,
  )
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;

/** "What's your favourite dish?" – "Definitely my aunt's plum cake." */
const favourite: Form = (asked, said) => {
  const what = /^what is your (favou?rite [\w ]{3,30})$/i.exec(asked)?.[1];
  const named =
    /^(?:(?:definitely|probably|hands down|easily)[, ]+)?(my \p{L}+'s [\p{L} -]{3,40}|(?:an?|the) [\p{L} -]{3,40})$/iu.exec(
      said.replaceAll('’', "'"),
    )?.[1];
  return what === undefined || named === undefined || /\b(?:one|i|we|that|is)\b/i.test(named)
    ? null
    : `My ${what} is ${lower(named)}`;
};
const whatIs: Form = (asked, said) => {
  const match = /^what (?:is|are) your ([\w'/ -]+)$/i.exec(asked);
  if (
    match === null ||
    !isBare(said) ||
    /\b(?:plan|plans|opinion|thoughts|take|secret|advice|next|issue|problem|question)\b/i.test(match[1] ?? '')
  )
    return null;
  return `My ${match[1] ?? ''} ${/^what are/i.test(asked) ? 'are' : 'is'} ${short(said)}`;
};
const whatIsCalled: Form = (asked, said) => {
  const match =
    /^what (?:is|are) your ([\w' -]+?) (?:called|named)$/i.exec(asked) ??
    /^what do you call your ([\w' -]+)$/i.exec(asked);
  return match === null || !isBare(said) ? null : `My ${match[1] ?? ''} is called ${short(said)}`;
};
const howOld: Form = (asked, said) => {
  const match = /^how old (?:are|is) (you|your [\w' ]+)$/i.exec(asked);
  if (
    match === null ||
    !/^(?:almost |nearly )?[\w-]+(?: years?(?: old)?| months?(?: old)?)?$/i.test(short(said)) ||
    !isBare(said)
  )
    return null;
  const age = short(said).replace(/ years?(?: old)?$/i, '');
  return `${turned(match[1] ?? '')} ${/^you$/i.test(match[1] ?? '') ? 'am' : 'is'} ${age}${/month/i.test(age) ? '' : ' years old'}`;
};
const howMany: Form = (asked, said) => {
  const match = /^how many ([\w' ]+?) (?:do|did) you (have|own|speak|want|need|play)\b ?([^]*)/i.exec(asked);
  if (match === null || !isBare(said) || !/^(?:just |only )?[\w, -]+$/i.test(said)) return null;
  const count = lower(short(said));
  if (/^(?:none|zero|no)$/i.test(count)) return `I don't ${match[2] ?? ''} any ${match[1] ?? ''}`;
  const noun = match[1] ?? '';
  const [, number = ''] = /^(one|two|three|four|five|six|\d+)(?=, )/i.exec(count) ?? [];
  if (/^one$|^1$/i.test(number) || (number !== '' && /\b(?:of them|\p{L}{2,}ed|is|are|was|were|i|but)\b/iu.test(count)))
    return null;
  if (number !== '') return `I ${match[2] ?? ''} ${number.toLowerCase()} ${noun}${count.slice(number.length)}`;
  return `I ${match[2] ?? ''} ${count.toLowerCase().includes(noun.toLowerCase()) || /\s/.test(count) ? count : `${count.toLowerCase()} ${noun}`} ${match[3] ?? ''}`.trim();
};
const whereOrHowOften: Form = (asked, said) => {
  const match =
    /^(where|how often|how far|when|what time|which days?|how long) do you (?:usually )?(\w+)\b ?(.*)$/i.exec(asked);
  if (match === null || !isBare(said) || verbOf(match[2] ?? '')?.form !== 'base') return null;
  if (/^where$/i.test(match[1] ?? '') && !/^(?:in|at|on|near|from|for|outside|by)\b/i.test(said)) {
    return /^(?:live|work)$/i.test(match[2] ?? '')
      ? `I ${match[2] ?? ''} ${/^work$/i.test(match[2] ?? '') ? 'at' : 'in'} ${short(said)} ${turned(match[3] ?? '')}`.trim()
      : null;
  }
  return `I ${match[2] ?? ''} ${turned(match[3] ?? '')} ${lower(short(said))}`
    .replace(/\s+/g, ' ')
    .replace(/^I work as in/, 'I work in');
};
const FREQUENCY =
  /^(?:(?:i|we) (?!.*\b(?:used to|not|never|should|would|could|wish|want|try|if|my|he|she|they)\b|\p{L}+n['’]t\b|.*n['’]t\b)[^,;.]{2,60}? )?((?:(?:about|at least|almost|around|roughly|maybe|only) )?(?:once|twice|(?:two|three|four|five|six|\d) times|every (?:other )?(?:day|morning|evening|night|week|weekend|month|year|summer|\p{L}+day)|daily|weekly|monthly)(?: (?:a|an|per|every) (?:day|week|month|year))?)(?:[,;.!]|$)/iu;
/** "How often do you all work out?" – "Three times a week; it keeps us fit." */
const howOften: Form = (asked, said) => {
  const [, who = '', verb = '', rest = ''] =
    /^how often do you ((?:all|both|guys|two) )?(?:get to |usually |normally |still |typically )?(\w+)\b ?(.*)$/i.exec(
      asked,
    ) ?? [];
  const frequency = FREQUENCY.exec(said)?.[1];
  const base = verb.toLowerCase() === 'workout' ? 'work out' : verb;
  if (verb === '' || frequency === undefined || verbOf(base.split(' ')[0] ?? '')?.form !== 'base') return null;
  return `${who === '' ? 'I' : 'we'} ${base} ${turned(rest)} ${lower(frequency).toLowerCase()}`.replace(/\s+/g, ' ');
};
const LASTED =
  /^(?:for |about |almost |nearly |over |around |just |only |like )*((?:\d{1,2}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|several|a few|a couple of) (?:years?|months?|weeks?))(?: (?:already|now|or so|at this point))?$/i;
/** "How long have you been married?" – "Five years already!" */
const howLong: Form = (asked, said) => {
  const [, what = ''] =
    /^how long have you ((?:been|had|lived|worked|known|owned|played|\w+ed)\b.*)$/i.exec(asked) ?? [];
  if (what === '' || /\bup to\b/.test(what)) return null;
  const since = /^(?:ever )?since ((?:i was |we were )?[\w' ]{2,40})$/i.exec(said)?.[1];
  const lasted = LASTED.exec(said)?.[1];
  if (since === undefined && lasted === undefined) return null;
  return `I have ${turned(what)} ${lasted === undefined ? `since ${since ?? ''}` : `for ${lasted.toLowerCase()}`}`;
};
/** "How is your new puppy doing?" – "He is doing great - learning to sit." */
const howIsYour: Form = (asked, said) => {
  const [, what = ''] =
    /^how (?:is|are|'s|'re) (your [\w' ]+?) (?:doing|going|coming along|getting on|settling in)\b/i.exec(asked) ?? [];
  const [, doing = ''] =
    /^(?:it|he|she|they|the little one|the little guy)(?:'s| is|'re| are) (?:doing |going |getting on )?(?:(?:really|so|very|pretty) )?(?:great|well|good|fine|amazing|fantastic)\s?(?:[,–-]|and)\s?(\p{L}{3,}ing .+)$/iu.exec(
      said,
    ) ?? [];
  if (what === '' || verbOf(doing.split(' ')[0] ?? '')?.form !== 'gerund') return null;
  return `${turned(what)} ${/^(?:they)/i.test(said) ? 'are' : 'is'} ${doing}`;
};
const GOT =
  /^(?:it|they|he|she)(?:['’]s| has|['’]ve| have) (?:got )?((?:an?|two|three|four|five|six|some|lots of|no|huge|big|its own) .+)$/iu;
const IS_AT = /^it(?:['’]s| is) ((?:on|in|near|by|above|behind|opposite|next to|across from) .+)$/iu;
/** "What's your new flat like?" – "It's got three bedrooms." */
const whatIsLike: Form = (asked, said) => {
  const [, what = ''] =
    /^(?:so )?(?:what is|how is) (?:your|the) ((?:new |old )?(?:place|flat|house|home|apartment|room|studio|office|school|garden|cottage|cabin|farm|shop|car|neighbou?rhood|village|town))(?: like| going| working out)?$/i.exec(
      asked,
    ) ?? [];
  const got = /^(?:it)(?:['’]s got| has) /i.test(said) ? GOT.exec(said)?.[1] : undefined;
  const at = IS_AT.exec(said)?.[1];
  if (what === '' || (got === undefined && at === undefined)) return null;
  return got === undefined ? `my ${what} is ${at ?? ''}` : `my ${what} has ${got}`;
};
/** "What keeps you motivated?" – "My family, exercise and time with friends." */
const whatKeepsYou: Form = (asked, said) => {
  const [, verb = '', how = ''] =
    /^(?:what|who|anything else that|what else)(?: else)? (keeps|motivates|inspires|helps) you\b ?((?:\w+ ){0,5}\w*)$/i.exec(
      asked,
    ) ?? [];
  const named = said.replace(/,? (?:for sure|definitely|mostly|mainly|i guess|probably)$/i, '');
  const words = named.split(/\s+/);
  const isList =
    /^(?:(?:my|our) \p{L}+|\p{L}+ing \p{L}+)/iu.test(named) && !/\b(?:i|we|you|is|are|was|it|that)\b/i.test(named);
  if (verb === '' || !isList || words.length > 14 || /^(?:keeps|helps)$/i.test(verb) !== (how !== '')) return null;
  const isPlural = /\band\b/i.test(named);
  return `${named} ${isPlural ? verb.slice(0, -1) : verb} me ${turned(how)}`.trim();
};
const whenDid: Form = (asked, said) => {
  const match = /^(?:when|where|how long ago|what year) did you (\w+)\b ?(.*)$/i.exec(asked);
  if (match === null || !isBare(said) || verbOf(match[1] ?? '')?.form !== 'base') return null;
  if (!/^(?:in|at|on|last|yesterday|two|three|four|a|about|around|\d|this|from|by|over|during|near)\b/i.test(said))
    return null;
  return `I ${pastOf((match[1] ?? '').toLowerCase())} ${turned(match[2] ?? '')} ${lower(short(said))}`.replace(
    /\s+/g,
    ' ',
  );
};
/** "Do you have any pets?" – "Yes, two cats." */
const yesWith: Form = (asked, said) => {
  const match = /^do you (have|own|play|speak|collect|grow|drive) (?:any|an?)\b/i.exec(asked);
  const named =
    /^(?:yes|yeah|yep|yup|i do)[,!.–-]* ((?:an?|one|two|three|four|five|six|\d+|some|my) [^.!?;]{3,60})$/i.exec(
      said,
    )?.[1];
  return match === null ||
    named === undefined ||
    /\b(?:i|we|you|it|that|is|are|was|mine|who|\p{L}{3,}ed|time|times|bit|few|lot|little|bunch|couple|ton|hundred|thousand|million)\b/iu.test(
      named,
    )
    ? null
    : `I ${match[1] ?? ''} ${named}`;
};
/** "Who taught you to cook?" – "My grandfather." */
const whoDid: Form = (asked, said) => {
  const [, verb = '', rest = ''] =
    /^who (taught|gave|introduced|helped|sent|invited|inspired|hired) you\b ?(.*)$/i.exec(asked) ?? [];
  return verb === '' ||
    // "My wife hates cooking" is a statement, not a name.
    hasFiniteVerb(said.split(' ').slice(1)) ||
    !/^(?:(?:my|our) [\p{L}'’ ]{2,30}|(?:\p{Lu}\p{Ll}+ ?){1,3})$/u.test(
      said.charAt(0).toLowerCase() === 'm' ? said.charAt(0).toLowerCase() + said.slice(1) : said,
    )
    ? null
    : `${said} ${verb} me ${turned(rest)}`.trim();
};
const whatDoYou: Form = (asked, said) => {
  const work = /^what (?:do you do(?: for (?:a living|work))?|is your (?:job|profession|occupation))$/i.exec(asked);
  if (work !== null && isBare(said) && /^(?:an? )?[\p{L} -]+$/iu.test(said))
    return /^an? /i.test(said) ? `I am ${lower(said)}` : null;
  return null;
};
const whichDoYou: Form = (asked, said) => {
  const match = /^(?:which|what) ([\w' ]+?) do you (speak|play|drive|prefer|own|use|study|teach|like)$/i.exec(asked);
  const [, named = said, since = ''] =
    /^([^,]{2,30}),? (since (?:i was [\w ]{2,12}|\d{4}|(?:last )?\p{L}+))$/iu.exec(said) ?? [];
  return match === null || !isBare(named) ? null : `I ${match[2] ?? ''} ${lower(short(named))} ${since}`.trim();
};

/** "What medication are you taking?" – "Insulin twice a day." */
const whatAreYou: Form = (asked, said) => {
  const [, verb = ''] =
    /^(?:what|which) [\w' ]{3,30}? are you (taking|reading|learning|studying|playing|training for)(?: at the moment| right now| currently| these days| now)?$/i.exec(
      asked,
    ) ?? [];
  return verb === '' || !isBare(said) || /^(?:none|nothing|no)\b/i.test(said) || hasFiniteVerb(said.split(' '))
    ? null
    : `I am ${verb} ${verb === 'taking' ? `${said.charAt(0).toLowerCase()}${said.slice(1)}` : lower(short(said))}`;
};

const FORMS: readonly Form[] = [
  allergicTo,
  eats,
  doYou,
  areYou,
  haveYou,
  whatIsCalled,
  howOld,
  whatDoYou,
  favourite,
  whatIs,
  howMany,
  whereOrHowOften,
  howOften,
  howLong,
  howIsYour,
  whatIsLike,
  whatKeepsYou,
  yesWith,
  whoDid,
  whenDid,
  whichDoYou,
  whatAreYou,
];
