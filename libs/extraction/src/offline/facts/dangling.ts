import { isIdentified } from './definite.js';
import { breaksAfter, EMPTY, hasContent, isName, NEEDS_NAME, PERSON_NOUNS, TIME_NOUNS, type Token } from './tokens.js';
import { verbOf } from './verbs.js';

/** Index of the first word that refers to something the clause does not name, or null. The speaker is "I" here. */
export const danglingIn = (tokens: readonly Token[]): number | null => {
  for (let index = 0; index < tokens.length; index += 1) {
    if (dangles(tokens, index)) return index;
  }
  return null;
};

const dangles = (tokens: readonly Token[], index: number): boolean => {
  const { key } = tokens[index] as Token;
  const next = tokens[index + 1];
  const before = tokens.slice(0, index);
  switch (key) {
    case 'he':
    case 'him':
    case 'his':
    case 'she':
    case 'her':
    case 'himself':
    case 'herself':
      return !before.some((token, at) => PERSON_NOUNS.has(token.key) || isName(token, at));
    case 'its':
      // "My bakery lost its lease"
      if (
        /^(?:my|our)$/.test(before[0]?.key ?? '') &&
        before.slice(1, 4).some((token) => names(token, 1) && !PERSON_NOUNS.has(token.key))
      )
        return false;
      return !reachable(before).some((token, at) => isThing(before, at));
    case 'it':
    case "it's":
    case "it'll":
      return (
        !isIdiom(before.at(-1)?.key ?? '', next?.key ?? '') &&
        !reachable(before).some((token, at) => isThing(before, at))
      );
    case "'em":
    case 'em':
    case 'ya':
      return true;
    case 'they':
    case 'them':
    case 'their':
    case "they're":
    case "they've":
    case 'theirs':
      return !(next === undefined && tells(before) ? before.filter(({ key: word }) => isPerson(word)) : before).some(
        (token, at) =>
          isPlural(token) ||
          (token.key === 'and' && names(tokens[at - 1], at - 1)) ||
          /^(?:someone|everyone|somebody)$/.test(token.key),
      );
    case 'this':
    case 'these':
    case 'those':
      return next === undefined || !TIME_NOUNS.has(next.key);
    case 'that':
    case "that's":
      return (
        key === "that's" ||
        (MOODS.test(next?.key ?? '') && !/^(?:of|that|i|we|when|my)$/.test(tokens[index + 2]?.key ?? '')) ||
        (!isRelative(before, next) && !(key === 'that' && next !== undefined && isName(next, 1))) ||
        pointsAt(before, next, index + 2 === tokens.length)
      );
    case 'there':
      return (
        /^(?:on|in|up)$/.test(before.at(-1)?.key ?? '') ||
        !before.some(
          (token, at) =>
            (isName(token, at) && at > 0) ||
            (/^(?:in|at|to|into|near|on|outside|around)$/.test(before[at - 1]?.key ?? '') && names(token, at)) ||
            (/^(?:in|at|to|into|near)$/.test(before[at - 2]?.key ?? '') && names(token, at)),
        )
      );
    // "My aunt lost hers": what, stands elsewhere.
    case 'hers':
      return before.at(-1)?.key !== 'of';
    case 'mine':
      return before.at(-1)?.key !== 'of';
    case 'both':
      return NEEDS_NAME.has(next?.key.replace(/s$/, '') ?? '');
    case 'ones':
      return !/^(?:loved|little)$/.test(before.at(-1)?.key ?? '');
    case 'one':
      return (
        /^(?:the|this|that|another|new|old|good|same|every|own|a|first|second|last|next)$/.test(
          before.at(-1)?.key ?? '',
        ) ||
        (before.length > 0 &&
          (next === undefined ||
            /[,;]$/.test(tokens[index]?.text ?? '') ||
            /^(?:with|for|from|in|on|at|about|that|and|but|as|to|when|because)$/.test(next.key)))
      );
    // "I am busy until then"
    case 'then':
      return /^(?:until|till|by|since|before)$/.test(before.at(-1)?.key ?? '');
    case 'here':
    case 'such':
    case 'something':
    case 'others':
      return true;
    case 'you':
    case 'your':
    case 'yours':
    case 'yourself':
    case "you're":
    case "you've":
    case "you'll":
    case "y'all":
      return true;
    case 'more':
      return COUNTS.test(before.at(-1)?.key ?? '') && isBare(tokens[index] as Token, next);
    case 'some':
    case 'few':
    case 'several':
      return isBare(tokens[index] as Token, next);
    case 'the':
      return !isIdentified(tokens, index);
    // "the stuff I baked"
    case 'stuff':
      return (
        !/^(?:i|we)$/.test(next?.key ?? '') ||
        !/^(?:baked|made|cooked|built|painted|collected|ordered)$/.test(tokens[index + 2]?.key ?? '')
      );
    case 'same':
    case 'another':
      return next === undefined || EMPTY.has(next.key);
    default:
      return false;
  }
};

/** "made it to the semifinals": the word names nothing. */
const isIdiom = (verb: string, next: string): boolean =>
  /^(?:make|makes|made|making)$/.test(verb) && /^(?:to|into|onto|past)$/.test(next);

const COUNTS = /^(?:few|some|couple|several|two|three|four|five)$/;
/** "I sent a few more last week", "I am planning some to help": the noun is missing. */
const isBare = (token: Token, next: Token | undefined): boolean =>
  next === undefined ||
  breaksAfter(token) ||
  /^(?:to|from|in|at|on|for|and|but|because|last|this|yesterday|today|recently|lately)$/.test(next.key);

/** "I am sharing my skills with them": people, not the skills. */
const tells = (before: readonly Token[]): boolean =>
  /^(?:with|to)$/.test(before.at(-1)?.key ?? '') && before.some(({ key }) => /^(?:shar|teach|tell|show|giv)/.test(key));
const isPerson = (key: string): boolean =>
  PERSON_NOUNS.has(key) || /^(?:people|players|students|kids|folks|guys|everyone|someone|women|men|youth)$/.test(key);

/** "that feeling" points at what was described before. */
const MOODS = /^(?:feeling|intensity|moment|vibe|energy|memory|spirit|mood|goal|dream)$/;

/**
 * The words that a later "it" may refer to: those before the last joint of the clause. "Reminders of it" does not refer
 * to the reminders.
 */
const reachable = (before: readonly Token[]): readonly Token[] => {
  const joint = before.findLastIndex(
    (token, at) =>
      /^(?:and|but|because|cause|since|so|when|while|that|which|who|as|if|where|then|before|after|until|or)$/.test(
        token.key,
      ) || /[,;:–—]$|^-+$/u.test(before[at]?.text ?? ''),
  );
  return joint < 0 ? [] : before.slice(0, joint + 1);
};

/**
 * "I read that book", "I haven't tried that yet": the word is a demonstrative; in "I think that we …" it is a
 * conjunction.
 */
const pointsAt = (before: readonly Token[], next: Token | undefined, isLast: boolean): boolean => {
  if (next === undefined) return true;
  // "I work from home that day"
  if ((next.key === 'day' || TIME_NOUNS.has(next.key)) && isLast) return true;
  if (/^(?:yet|too|before|already|again|once|now|today|yesterday|recently|other|same)$/.test(next.key)) return true;
  const last = before.at(-1)?.key ?? '';
  return (
    verbOf(last) !== null &&
    !JOINED_BY_THAT.test(last) &&
    hasContent(next) &&
    (verbOf(next.key)?.form ?? 'base') === 'base' &&
    !isName(next, 1) &&
    !/^(?:a|an|the|my|our|this|new|great|good|cool)$/.test(before.at(-2)?.key ?? '')
  );
};
const JOINED_BY_THAT =
  /^(?:say|said|says|think|thought|know|knew|hope|feel|felt|see|saw|tell|told|learn|learned|learnt|find|found|hear|heard|decide|decided|remember|forget|forgot|show|showed|wish|mean)$/;

/** Whether a clause names something that "it" in it might refer to. */
export const namesSomething = (before: readonly Token[]): boolean => before.some((_, at) => isThing(before, at));

/** A noun that "it" may refer to; not a verb. */
const isThing = (tokens: readonly Token[], at: number): boolean =>
  names(tokens[at], at) &&
  (verbOf(tokens[at]?.key ?? '') === null ||
    /^(?:a|an|the|my|our|new|his|her|their|of)$/.test(tokens[at - 1]?.key ?? ''));

const names = (token: Token | undefined, at: number): boolean =>
  token !== undefined && hasContent(token) && (!PERSON_NOUNS.has(token.key) || at > 0) && !TIME_NOUNS.has(token.key);

const isPlural = ({ key }: Token): boolean =>
  (/[^s]s$/.test(key) && !EMPTY.has(key) && !TIME_NOUNS.has(key.slice(0, -1)) && key.length > 3) ||
  /^(?:people|kids|children|family|parents|team|band|friends|everyone|police|women|men|youth|community|class|couple|crew|choir|neighbours)$/.test(
    key,
  );

/** "a class that starts", "I think that we": the word is a relative pronoun or a conjunction. */
const isRelative = (before: readonly Token[], next: Token | undefined): boolean => {
  const last = before.at(-1);
  return (
    last !== undefined &&
    next !== undefined &&
    (hasContent(last) || /^(?:day|time|thing|place|way|people|someone|something)$/.test(last.key)) &&
    !/[,;]$/.test(last.text) &&
    !/^(?:and|but|was|is|of|for|with|about|like|to)$/.test(last.key) &&
    next.key !== ''
  );
};

export const examples = {
  dangling: [
    'I finally finished it',
    'I love how she looks',
    'I gave them my old coat',
    'I love this place',
    'I go there every day',
    'I bought another one',
    'I joined the group',
    'I have reminders of it',
    'I am working on one with my group',
    "I haven't tried that yet",
    'I am proud of winning that tournament',
    'I love the deep topic',
    'I even have the whole set',
    'I met some people at the tournament',
    'I tried the recipe',
    'I wanted the painting to be calm',
    'I made the ice cream',
    'I love the feelings and twists',
    'I am trying to capture that feeling in my songs',
    'I read that book',
    'I sent a few more last week',
    'I am planning some to help the choir',
    'I love sharing my skills with them',
    'I talked to the guys at the tournament afterwards',
    'I am the drummer of the band',
    'I signed up for the regional tournament',
    'I finished the second draft',
    'I went to the event with my cousin',
    'I went to the show tomorrow',
    'I got second place in the contest',
    'I found the recipe online',
    'I made the recipe for my cousins',
    'I made the recipe twice',
    'I tried the dish',
    'I found the right spot',
    'I got lost on the subway',
    'I had trouble with the subway at first',
    'I need the dairy-free recipe',
    'I am working on the final boss right now',
    'I watched both movies',
    'I sold mine',
    'my aunt sold hers',
    'I teach the younger ones',
    'I saw that my aunt has "Waves" on there',
    'I got ideas from stuff I saw',
    'I got its first prize in May',
    'I work from home that day',
    'I am in meetings until then',
  ],
  named: [
    'I finished my novel and sent it to Ana',
    'I took my kids to Hue because they love the sea',
    'I ran this week',
    'I know a class that starts in May',
    'I moved to Hue and work there',
    'I joined the group for new parents',
    'I go to the gym with the kids',
    'I won the chess tournament',
    'I cooked the soup of my aunt',
    'I love the songs and old poems that my aunt wrote',
    'I took a break from the everyday',
    'I signed the lease',
    'I sent a few more poems',
    'I met some of my cousins',
    'I took the first step towards a diploma',
    'I own the biggest boat',
    'I am working with bloggers in the next few months',
    'I finished the second draft of my novel',
    'I love my loved ones',
    'I met a friend of mine',
    'I coach young players and share my skills with them',
    'my script was rejected by the producers',
    'I kept the scarf my sister knitted',
    'I had the best week at the sea',
    'I had a day out with the gang last weekend',
    'I got the tattoo three years ago',
    'I loved my evenings in the studio',
    'I bought a boat and painted the boat',
    'I dropped off the stuff I baked',
    'I made it to the final round of a quiz',
    'my bakery got its first prize in May',
    'I ran out of money in the second year',
  ],
};
