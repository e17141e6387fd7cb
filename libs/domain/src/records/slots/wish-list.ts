import { normal, slot, type Slot, type SlotRule } from './slot-text.js';
import { NO_NOUN } from './which.js';

const ADVERBS =
  '(?:has |have |just |finally |recently |already |also |really |definitely |actually |eventually |certainly |still |both ){0,4}';
/** What a person means to do, before the verb. */
const MEANS =
  "(?:really |also |definitely |still |so |just ){0,3}(?:will|(?:wants|plans|hopes|needs|intends|has|would love|would like) to|is (?:really |so |super |also ){0,3}(?:(?:going|planning|hoping|eager|keen|excited|about) to)|(?:is|has been) (?:meaning|wanting|hoping) to|(?:cannot|can['’]t) wait to) (?:definitely |really |also ){0,2}";

/** Titles that a person means to watch or read. Whether it is a film or a book does not matter: the title identifies it. */
const TITLE = String.raw`["“]([^"”]{2,60})["”]`;
const KIND_OF_TITLE = String.raw`(?:(?:an?|the|this|that) (?:[\p{L}-]+ ){0,3}?(?:novel|book|series|show|movie|film|memoir|story|play|musical|documentary|trilogy) (?:called |named |titled )?)?`;
/** `"Waves" poster` is not the film, and a book seen in a shop has not been read. */
const WHOLE_TITLE = String.raw`(?! in (?:an?|the) (?:\p{L}+ )?(?:shop|store|bookshop|bookstore|library|window|list)\b)(?! to (?:the|their|his|her)\b)(?: [Tt]rilogy)?${NO_NOUN}`;

/** How it gets known: a book is not read by watching the film. "Check out" can mean either. */
const MEDIUM: Readonly<Record<string, string>> = {
  read: ' read',
  watch: ' watch',
  watched: ' watch',
  see: ' watch',
  seen: ' watch',
  saw: ' watch',
};

const titled = (who: string, verb: string, named: string, state: 'planned' | 'done'): Slot | null => {
  const words = normal(named);
  return words === '' ? null : slot(who, `plan: know ${words}`, `${state}${MEDIUM[verb.toLowerCase()] ?? ''}`);
};

/** Places of a kind that people travel to see. */
const SIGHT =
  '(castle|palace|cathedral|temple|monastery|lighthouse|volcano|glacier|waterfall|canyon|cave|vineyard|pyramid|aquarium|planetarium|zoo|national park|theme park|amusement park|rainforest|oasis)';
const SOME = String.raw`(?:(?:an?|the|some|one of the|those|these) )?(?:(?:old|ancient|big|beautiful|famous|huge|real|medieval|historic|local|nearby|amazing|incredible) ){0,2}`;
const NAME = String.raw`((?:the )?\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*){0,2})`;

/** Where it is belongs to the key: a castle in Wales is not one of the castles in Spain. */
const sight = (who: string, kind: string, where: string, state: 'planned' | 'done'): Slot | null =>
  slot(who, `plan: visit ${kind.toLowerCase()}${where === '' ? '' : ` in ${normal(where)}`}`, state);

/** "Their Italian holiday", "the Italian coast": an adjective of a country or continent. */
const OF_A_LAND = String.raw`(\p{Lu}[\p{L}-]{2,}(?:an|ish|ese|ic|ch|ek|iss|ean))`;
const HOLIDAY = '(?:vacation|holidays?|trip|road trip|getaway|tour|cruise|adventure)';
const LAND = '(?:coast|coastline|countryside|islands?|[Rr]iviera|[Aa]lps|lakes?|mountains|highlands|cities|villages)';

const holiday = (who: string, adjective: string, state: 'planned' | 'done'): Slot | null =>
  slot(who, `plan: holiday ${normal(adjective)}`, state);

/** Titles to watch or read, sights to see, and holidays: planned until it is known that they took place. */
export const WISH_LIST: readonly SlotRule[] = [
  [
    new RegExp(
      String.raw`^(.{1,60}?) ${MEANS}(?:(watch|read|see|check out|try) ${KIND_OF_TITLE}${TITLE}(?=$|[,;]| (?:soon|sometime|tonight|next|this|when|because|by)\b)|(?:check|give|add|put) ${TITLE} (?:out|a (?:try|go|watch|read)|(?:to|on) (?:their|his|her) (?:(?:reading|watch|watching|to-do|bucket) )?list)\b)`,
      'iu',
    ),
    (who = '', verb = '', named = '', listed = '') => titled(who, verb, named || listed, 'planned'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) (?:hasn['’]t|haven['’]t|has not|have not|has never)(?: yet| ever)? (watched|read|seen) ${KIND_OF_TITLE}${TITLE}(?=$|[,;]| (?:yet|before))`,
      'iu',
    ),
    (who = '', verb = '', named = '') => titled(who, verb, named, 'planned'),
  ],
  [
    new RegExp(String.raw`^(.{1,60}?) ${ADVERBS}(watched|saw|read) ${KIND_OF_TITLE}${TITLE}${WHOLE_TITLE}`, 'iu'),
    (who = '', verb = '', named = '') => titled(who, verb, named, 'done'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) (?:${MEANS}(?:visit|see|go to|tour|explore)|(?:dreams|is dreaming|is thinking) (?:of|about) (?:visiting|seeing|going to|touring|exploring)|is looking forward to (?:visiting|seeing|going to)) ${SOME}${SIGHT}s?(?: in ${NAME})?(?=$|[,;]| (?:one day|someday|some day|soon|sometime|next|this|when|because|with|and)\b)`,
      'u',
    ),
    (who = '', kind = '', where = '') => sight(who, kind, where, 'planned'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) ${ADVERBS}(?:visited|went to|toured|explored|went to see|saw) ${SOME}${SIGHT}s?(?:(?: in| (?:during|on) (?:an?|their|his|her) (?:\p{L}+ )?(?:trip|visit|holiday|vacation) (?:to|in)) ${NAME})?(?=$|[,;]| (?:and|with|last|this|yesterday|today|which|where|because)\b)`,
      'u',
    ),
    (who = '', kind = '', where = '') => sight(who, kind, where, 'done'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) (?:${ADVERBS}left (?:for|on)|is ${ADVERBS}(?:leaving (?:for|on)|off (?:to|on)|heading (?:off )?(?:to|on)|going on|packing for|planning|preparing for|getting ready for)|(?:cannot|can['’]t) wait for|has booked) (?:an?|their|his|her) (?:(?:big|long|short|own|family|first|next|upcoming) ){0,2}${OF_A_LAND} ${HOLIDAY}\b`,
      'u',
    ),
    (who = '', adjective = '') => holiday(who, adjective, 'planned'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) ${ADVERBS}(?:(?:got back|came back|returned|is back|are back) from|enjoyed|finished) (?:an?|their|his|her|the) (?:(?:big|long|short|own|family|first) ){0,2}${OF_A_LAND} ${HOLIDAY}(?! of\b)\b`,
      'u',
    ),
    (who = '', adjective = '') => holiday(who, adjective, 'done'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) ${ADVERBS}(?:took|had|went on|made) an? (?:\p{L}+ ){0,2}?${HOLIDAY} (?:out )?(?:on|along|through|around|across|in|to|by) the ${OF_A_LAND} ${LAND}\b`,
      'u',
    ),
    (who = '', adjective = '') => holiday(who, adjective, 'done'),
  ],
];
