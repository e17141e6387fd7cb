import { withoutEnd } from '@turnkeeper/domain';
import { wordSet } from '../text/word-set.js';
/** One word of a clause as written, with its normalised lower-case form. */
export interface Token {
  readonly text: string;
  readonly key: string;
}

export const tokensOf = (clause: string): Token[] =>
  clause
    .split(/\s+/)
    .filter((part) => part !== '')
    .map((text) => ({
      text,
      key: withoutEnd(text.toLowerCase().replaceAll('’', "'"), /[^\p{L}\p{N}%]/u).replace(/^[^\p{L}\p{N}$€£+]+/u, ''),
    }));

export const textOf = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join(' ');

/** Whether a comma, a semicolon or a dash follows this word. */
export const breaksAfter = (token: Token | undefined): boolean =>
  token !== undefined && /[,;:–—]$|\p{L}-$|^-+$|\.\.$|…$/u.test(token.text);

/** Words between a subject and its verb that do not change the statement. */
export const ADVERBS = wordSet(
  'just also really always finally recently currently still even already actually usually often sometimes only now then definitely probably mostly especially ' +
    'truly totally absolutely completely honestly personally officially literally basically kinda sorta lately normally generally typically regularly frequently rarely ' +
    'once both all soon today yesterday simply quite so very pretty super too ever constantly secretly both originally previously formerly mainly certainly gladly ' +
    'proudly eventually initially occasionally seriously immediately quickly successfully accidentally together',
);
export const NEGATIONS = wordSet(
  "not never don't doesn't didn't can't cannot couldn't won't isn't aren't am-not wasn't weren't haven't hasn't hadn't wouldn't shouldn't mustn't ain't",
);

/** Words without content: an object that consists only of these names nothing. */
export const EMPTY = wordSet(
  'a an the this that these those my our your his her its their me us him them it i we you he she they myself ourselves themselves yourself and or but so because if when while where ' +
    'who which what how why to of in on at for from with by about into over after before since until than as up out off down back around through along away here there then now ' +
    'is are was were am be been being have has had do does did will would can could should may might must not no never yes very really so too quite pretty super just also only even still already again ever always ' +
    'some any all every each other another more most much many few lot lots bit little kind sort few couple both one ones own same such like ' +
    'good great nice cool awesome amazing fun best better bad worse worst wonderful fantastic lovely beautiful incredible special important interesting exciting big huge small new old different ' +
    'happy glad proud sad sorry excited tough hard easy fine okay ok well perfect real true right wrong sure whole full rewarding inspiring challenging enjoyable relaxing memorable unforgettable crazy wild blast ' +
    'thing things stuff something anything everything nothing someone everyone anyone people way ways time times day days while moment moments place places part parts point idea ideas feeling feelings ' +
    'life world experience experiences difference journey path dream dreams goal goals passion progress success chance opportunity opportunities step steps lot hope future past together support ' +
    'thoughts mind heart love joy peace strength courage confidence energy motivation inspiration memory memories connection story stories news update question issue issues problem problems ' +
    'much go going gone get got getting make making made take taking took see seeing know think feel doing done did let keep keeping give giving come coming put use using try trying tried ' +
    'lately recently today soon later sometime someday anytime forever finally however though although anyway maybe perhaps definitely absolutely totally truly actually especially completely further forward ' +
    'impact touch sense reality truth potential choice decision wonder wonders stuff vibe vibes mood shape kindness guidance advice hands hand eyes face look view',
);
/** Nouns that refer to something mentioned earlier when used with "the" and without specification. */
export const NEEDS_NAME = wordSet(
  'event show class place project group picture pic photo game trip book movie film series story course job work team painting one process result results store event concert session meeting experience ' +
    'feast view scene dog dogs stuff thing things same idea plan rest other others audience crowd shot design colors colours piece pieces video song ',
);

export const TIME_NOUNS = wordSet(
  'week weekend month year morning afternoon evening night summer winter spring fall autumn season semester monday tuesday wednesday thursday friday saturday sunday time christmas past',
);
export const PERSON_NOUNS = wordSet(
  'mom mum mother dad father parents brother sister brothers sisters sibling siblings son daughter sons daughters kid kids child children baby wife husband partner boyfriend girlfriend fiance fiancé fiancée ex ' +
    'friend friends buddy cousin cousins uncle aunt grandma grandpa grandmother grandfather grandparents niece nephew boss manager colleague colleagues coworker coworkers neighbor neighbour neighbors neighbours roommate flatmate ' +
    'mummy daddy gran nan nana granny grandad granddad stepdad stepmum stepmom stepmother stepfather stepsister stepbrother father-in-law mother-in-law brother-in-law sister-in-law son-in-law ' +
    'daughter-in-law in-laws godson goddaughter godmother godfather great-aunt great-uncle great-grandmother great-grandfather mate mates bestie housemate housemates classmate classmates bandmate ' +
    'oldest youngest eldest firstborn landlord landlady tutor instructor trainer nurse pastor priest rabbi imam midwife dentist physio nanny childminder hairdresser supervisor professor employee bloke lad ' +
    'gp vet pediatrician paediatrician surgeon optician pharmacist psychologist psychiatrist physiotherapist counsellor counselor ' +
    'lawyer solicitor accountant plumber electrician gardener babysitter carer caregiver ' +
    'horse pony mare foal hamster rabbit bunny parrot budgie gecko tortoise goldfish pup kitty ' +
    'teacher coach mentor doctor therapist family grandson granddaughter stepson stepdaughter girl boy man woman guy lady student students team teammates dog cat puppy kitten pet pets dogs cats',
);
export const isNumber = (key: string): boolean =>
  /^[$€£+]?\d[\d.,:/%-]*(?:st|nd|rd|th|am|pm|k|m|km|kg|cm)?$/.test(key) ||
  /^(?:twen|thir|for|fif|six|seven|eigh|nine)ty-\p{L}+$/u.test(key) ||
  NUMBER_WORDS.has(key);
export const NUMBER_WORDS = wordSet(
  'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million dozen first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth twice',
);

/** A capitalised name that does not start the clause. */
export const isName = (token: Token, index: number): boolean =>
  index > 0 && /^["“(]?\p{Lu}[\p{L}\p{N}'’.&-]*/u.test(token.text) && !/^(?:i|i'm|i've|i'll|i'd)$/.test(token.key);

/** Has content: a number, a name, or a word that is not in the empty list. */
export const hasContent = (token: Token): boolean =>
  token.key !== '' && !EMPTY.has(token.key) && !ADVERBS.has(token.key);
