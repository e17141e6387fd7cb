import { type Gender, type Person, pronounGender } from '../reference/circle.js';
import { danglingIn } from './dangling.js';
import { textOf, tokensOf } from './tokens.js';
import { isFinite } from './verbs.js';

/** A clause about a person, with the pronoun replaced. */
export interface AboutPerson {
  readonly plain: string;
  /** Whom a pronoun stood for. */
  readonly person: Person | null;
}

const KIN =
  /^(?:(?:and|but|so) )?(mum|mom|dad|mummy|daddy|gran|grandma|granny|nan|grandpa|grandad|granddad)(?='s | (?:(?:just|always|never|still|even|also|finally|already) )?(\p{Ll}+) )/iu;
const PRONOUN = /^(he|she) /i;
const POSSESSIVE = /^(his|her) (?=\p{Ll}+(?: \p{Ll}+){0,2} (?:is|was|has|had) )/iu;

/**
 * A clause whose subject is "Mum", or "he" or "she" after exactly one person that fits. Returns null for any other
 * clause; never guesses.
 *
 * @param mentioned the people that "he" or "she" may mean, nearest group first; the first with one that fits decides
 */
export const aboutPerson = (clause: string, mentioned: () => readonly (readonly Person[])[]): AboutPerson | null => {
  if (/\b(?:hers|theirs|you|your)\b/i.test(clause)) return null;
  const [whole = '', kin = '', verb = ''] = KIN.exec(clause) ?? [];
  if (kin !== '' && (verb === '' || isFinite(verb)))
    return { plain: `my ${kin.toLowerCase()}${clause.slice(whole.length)}`, person: null };
  const pronoun = (PRONOUN.exec(clause) ?? POSSESSIVE.exec(clause))?.[1] ?? '';
  if (pronoun === '') return doneTo(clause, mentioned);
  const person = meant(pronounGender(pronoun), mentioned());
  if (person === null) return null;
  const owns = /^h(?:is|er)$/i.test(pronoun) ? "'s" : '';
  return { plain: `${person.text}${owns}${clause.slice(pronoun.length)}`, person };
};

/** "I took her to the zoo", "I kept her old coat": the first "him" or "her" of a clause about the speaker. */
const doneTo = (clause: string, mentioned: () => readonly (readonly Person[])[]): AboutPerson | null => {
  if (!/\b(?:him|her|his)\b/.test(clause) || !/^(?:(?:\p{L}+ ){1,4})?(?:I|we) /u.test(clause)) return null;
  const tokens = tokensOf(clause);
  const at = danglingIn(tokens);
  const token = at === null ? undefined : tokens[at];
  if (at === null || token === undefined || !/^(?:him|her|his)$/.test(token.key)) return null;
  const person = meant(pronounGender(token.key), mentioned());
  if (person === null) return null;
  const owns = token.key === 'his' || (token.key === 'her' && token.text === 'her' && owned(tokens[at + 1]?.key));
  const named = `${person.text}${owns ? "'s" : ''}${token.text.slice(3)}`;
  const plain = textOf(tokens.map((word, index) => (index === at ? { text: named, key: named } : word)));
  return { plain, person };
};
/** "her coat"; in "took her to the zoo", "gave her a coat", "brought her home" it is no possessive. */
const owned = (next: string | undefined): boolean =>
  next !== undefined &&
  !/^(?:an?|the|my|our|some|two|three|to|in|on|at|for|with|from|by|about|into|over|through|around|up|out|off|down|back|home|and|but|so|because|when|while|after|before|since|until|every|last|this|that|yesterday|today|tomorrow|again|there|here|how|what|where|already|too|so|very|really|anyway|either|alone|instead|lots|more|most|much|better|best|enough|well|as|both|all|every|regularly|often|once|twice|soon|later|first|outside|inside|away|along|together|than|or|who|whenever|if|though|although|immediately|right|straight|properly|\p{L}+ing)$/u.test(
    next,
  );

/** The only person of the nearest group that the pronoun fits. */
const meant = (gender: Gender, mentioned: readonly (readonly Person[])[]): Person | null => {
  for (const group of mentioned) {
    const fitting = group.filter((person) => person.gender === null || person.gender === gender);
    const [only] = fitting;
    if (only !== undefined) return fitting.length === 1 && only.isTheirs !== true ? only : null;
  }
  return null;
};

/** The clause, the speaker's sentences before it, the other side's message, and how the clause is read. */
export const examples = [
  ['Dad is driving up on Friday', '', '', 'my dad is driving up on Friday'],
  ['Dad jokes are my thing', '', '', null],
  ['she started school in May', '', 'How is Maud doing?', 'Maud started school in May'],
  ['she started school in May', '', 'How is your daughter Maud doing?', 'my daughter Maud started school in May'],
  ['he works in Turku', '', 'How is your aunt?', null],
  ['he works in Turku', '', 'How is your dad? And your brother?', null],
  ['he works in Turku', 'My son Emil is six. My dad came.', '', 'my dad works in Turku'],
  [
    'she also joined a choir',
    'My aunt Maud moved to Turku. She called her boat Rosa.',
    '',
    'my aunt Maud also joined a choir',
  ],
  ['her flat is a mess', 'My aunt Maud moved.', '', "my aunt Maud's flat is a mess"],
  ['she started school in May', '', 'Maud came up with that. My daughter came.', null],
  ['she started school in May', '', 'My daughter came.', null],
  ['he fixed your bike', 'My dad came.', '', null],
  ['I took her to the zoo', '', 'How is Maud? She is so funny!', 'I took Maud to the zoo'],
  ['I kept her old coat', '', 'How is your aunt?', "I kept my aunt's old coat"],
  ['I kept her old coat', '', 'How is your aunt? And your mum?', null],
  ['I love his old coat', 'Captain Tern is my hero.', 'How is your uncle?', null],
  ['I love his old coat', 'Sailing is my hobby.', 'How is your uncle?', "I love my uncle's old coat"],
  ['I liked her already', '', 'How is your aunt?', 'I liked my aunt already'],
  ['I gave him a book', '', 'How is your aunt?', null],
  ['Ana took her to the zoo', '', 'How is your aunt?', null],
] as const satisfies readonly (readonly [string, string, string, string | null])[];

/** Texts, and the people whom they introduce. */
export const introductions = [
  ['My son Emil is six. His name is Emil.', ['Emil']],
  ['We named him Rex, and a nurse called Maud came', ['Rex', 'Maud']],
  ['One of my pupils, Ana, won a race', ['Ana']],
  ['I met Jonas at a fair. Martha taught me to weld', ['Jonas', 'Martha']],
  ['I moved to Sofia and left Florence', []],
  ['Pastor Ruth fixed my bike, and Aunt Lena came', ['Ruth', 'Lena']],
  ['Emil cut his first tooth', ['Emil']],
  ['Nettles hurt his knee', []],
  ['Let me show you his boat', []],
  ['Turns out he is shy', []],
  ['I love Ghent and a band called Owls', []],
  ['Nora and I talked', []],
  ['Nor and I talked to my aunt Linda', ['Linda']],
] as const satisfies readonly (readonly [string, readonly string[]])[];
