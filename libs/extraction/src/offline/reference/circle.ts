import type { CitedSource, WindowMessage } from '@turnkeeper/domain';
import { PERSON_NOUNS } from '../facts/tokens.js';
import { isFinite } from '../facts/verbs.js';
import { firstName } from '../person/first-names.js';
import { isNoName } from '../person/no-names.js';
import { lastSentencesOf, sentencesOf } from '../text/sentences.js';

/** Which pronoun stands for a person; null if nothing says so. */
export type Gender = 'he' | 'she' | null;

/** A person (or pet) that a sentence mentions, worded for a sentence of the speaker. */
export interface Person {
  /** "my brother", "my brother Emil" or "Emil". */
  readonly text: string;
  readonly gender: Gender;
  /** They belong to the other side, and have no wording for the speaker. */
  readonly isTheirs?: true;
  /** The message that mentions them, if it is another one than the speaker's. */
  readonly source?: CitedSource;
}

const HE =
  /^(?:father|dad|daddy|brother|son|husband|hubby|boyfriend|uncle|nephew|grandpa|grandad|granddad|grandfather|grandson|godson|godfather|boy|man|guy|lad|bloke|fellow|stepdad|stepfather|stepson|stepbrother|father-in-law|brother-in-law|son-in-law|great-uncle|great-grandfather)$/;
const SHE =
  /^(?:mother|mum|mom|mummy|mommy|sister|daughter|wife|girlfriend|aunt|auntie|niece|gran|nan|nana|granny|grandma|grandmother|granddaughter|goddaughter|godmother|girl|woman|lady|mare|stepmum|stepmom|stepmother|stepdaughter|stepsister|mother-in-law|sister-in-law|daughter-in-law|great-aunt|great-grandmother)$/;
export const genderOf = (noun: string): Gender => (HE.test(noun) ? 'he' : SHE.test(noun) ? 'she' : null);

const NAME = String.raw`\p{Lu}\p{Ll}{1,20}`;
const NOUN = String.raw`[\p{Ll}-]{2,20}`;
/** "my youngest son Emil", "your dog, Rufus,". */
const OWN = new RegExp(
  String.raw`\b(?:[Mm]y|[Oo]ur|[Yy]our) ((?:${NOUN} ){0,2}?)(${NOUN})(?![\p{L}'’-])(?:(?:,| called| named)? (${NAME})(?![\p{L}'’]))?`,
  'gu',
);
/** "a nurse called Maud", "her name is Maud", "we named him Rex". */
const CALLED = new RegExp(
  [
    String.raw`\b(?:[Aa]|[Aa]n|[Tt]he|[Tt]his|[Oo]ne) (?:${NOUN} ){0,2}?(${NOUN}) (?:called|named) (${NAME})`,
    String.raw`\b([Hh]is|[Hh]er) name(?:['’]s| is| was) (${NAME})`,
    String.raw`\b(?:named|called) (him|her|the ${NOUN}) (${NAME})`,
    String.raw`\b([Hh]e|[Ss]he)(?:['’]s| is| was) (?:called|named) (${NAME})`,
  ].join('|'),
  'gu',
);
/** "Emil and I", "Aunt Maud", "Emil cut his first tooth". */
const WITH_ME = new RegExp(String.raw`(${NAME}) and (?:I|me)\b|\b[Mm]e and (${NAME})`, 'gu');
const TITLED = new RegExp(
  String.raw`\b(?:Aunt|Auntie|Uncle|Grandma|Grandpa|Pastor|Father|Sister|Mr|Mrs|Ms|Dr|Coach|Old Mr|Nana|Grandad)\.? (${NAME})`,
  'gu',
);
/** "One of my pupils, Ana, won". */
const APPOSED = new RegExp(String.raw`\p{Ll}, (${NAME}), ([\p{Ll}'’]+)`, 'gu');
const ITS_OWN = new RegExp(
  String.raw`(?:^|[.!?] |, (?:and|but|so) )(${NAME})(?:['’]s)? (?:just |also |even |still |finally |already )?([\p{Ll}'’]+) [^.!?,;]{0,60}?\b(his|her|himself|herself)\b`,
  'gu',
);

/** "How is Emil?" – "He works in Ghent": a person; "How is Ghent?" – "I love it": none. */
const ASKED = new RegExp(
  String.raw`\b(?:[Hh]ow|[Ww]here|[Ww]hat|[Aa]nd)(?:['’]s| is| was| did| does| about|) (${NAME})\b`,
  'gu',
);
const ANSWERED = /^(?:[^.!?]{0,60}[.!,;] (?:but |and |so )?)?(he|she)\b/iu;

/** Within a sentence, and not behind "in" or "to", where places stand. */
const WORD_LIKE_NAME = new RegExp(
  String.raw`(?<=[\p{Ll},;:)] )(?<!\b(?:in|to|at|from|near|around|through|visit|visited|across|outside|leave|left|the) )${NAME}(?![\p{L}’'-])|(?<=^|[.!?] )${NAME}(?=[.!,]|['’]s \p{Ll}| \p{Ll}+(?:ed|s) | (?:got|has|had|is|was|left|made|taught|went|came|took|wrote|won|met|gave|sent|bought|built) )`,
  'gu',
);

/** The speaker's own: "Mum" is "my mum". */
const KIN: ReadonlySet<string> = new Set([
  'Mum',
  'Mom',
  'Dad',
  'Gran',
  'Nan',
  'Grandma',
  'Grandpa',
  'Grandad',
  'Granddad',
]);
const KIN_AS_NAME = new RegExp(String.raw`(?<![\p{L}'’] )\b(${[...KIN].join('|')})\b(?! \p{Lu})`, 'gu');
const WHOLE_NAME = new RegExp(`^${NAME}$`, 'u');
export const isPersonsName = (word: string): boolean => WHOLE_NAME.test(word) && !isNoName(word) && !KIN.has(word);

/** People and pets that a conversation introduces by name, with what is known of their gender. */
export type Circle = ReadonlyMap<string, Gender>;

/** @param names of the speakers, who are not their own acquaintances */
export const circleOf = (messages: readonly string[], names: readonly string[]): Circle => {
  const texts = messages.map((text) => text.trim());
  const circle = new Map<string, Gender>();
  const add = (name: string | undefined, gender: Gender): void => {
    if (name === undefined || !isPersonsName(name) || isSpeaker(name, names)) return;
    circle.set(name, circle.get(name) ?? gender);
  };
  for (const text of texts) {
    for (const [, , noun = '', name] of text.matchAll(OWN)) if (PERSON_NOUNS.has(noun)) add(name, genderOf(noun));
    for (const [, noun, one, his, two, him, three, he, four] of text.matchAll(CALLED)) {
      if (noun !== undefined && PERSON_NOUNS.has(noun)) add(one, genderOf(noun));
      add(two, pronounGender(his));
      if (him !== undefined && (/^h/.test(him) || PERSON_NOUNS.has(him.replace('the ', ''))))
        add(three, pronounGender(him));
      add(four, pronounGender(he));
    }
    for (const [, one, two] of text.matchAll(WITH_ME)) add(one ?? two, null);
    for (const [, name] of text.matchAll(TITLED)) add(name, null);
    for (const [, name, verb = ''] of text.matchAll(APPOSED)) if (isFinite(verb)) add(name, null);
    for (const [, name = '', verb = '', his] of text.matchAll(ITS_OWN))
      if (!/(?:ies|ing|ed|les|ers|[tdgpkv]s)$/.test(name) && isFinite(verb)) add(name, pronounGender(his));
  }
  for (const name of new Set(texts.flatMap((text) => text.match(WORD_LIKE_NAME) ?? []))) {
    const whose = firstName(name);
    if (whose !== null) add(name, whose === 'any' ? null : whose);
  }
  texts.forEach((text, index) => {
    const [, pronoun] = ANSWERED.exec(texts[index + 1] ?? '') ?? /[.!?] (he|she)\b/i.exec(text) ?? [];
    if (pronoun !== undefined) for (const [, name] of text.matchAll(ASKED)) add(name, pronounGender(pronoun));
  });
  return circle;
};

/** "Mel" is Melanie. */
const isSpeaker = (name: string, names: readonly string[]): boolean => names.some((one) => one.startsWith(name));

export const pronounGender = (pronoun: string | undefined): Gender =>
  /^(?:he|him|his|himself)$/i.test(pronoun ?? '')
    ? 'he'
    : /^(?:she|her|hers|herself)$/i.test(pronoun ?? '')
      ? 'she'
      : null;

const TITLE_BEFORE = /\b(?:Dr|Mr|Mrs|Ms|Professor|Pastor|Aunt|Uncle)\.? $/u;
const LONGEST_TITLE = 11;
/** "the new one is called Petra": a person as well, whatever the name. */
const SUCCESSOR =
  /\b(?:the|my|our|a) (?:new|other|next|second) \p{L}+(?:['’]s| is| called| named|, )(?: called| named)? ?(\p{Lu}\p{Ll}{1,20})(?![\p{L}])/gu;

/**
 * The people that a text mentions, in order, each once.
 *
 * @param isOther it is the other side's: "your brother" is "my brother" for the speaker
 * @param names of the two speakers
 */
export const personsIn = (text: string, circle: Circle, isOther: boolean, names: readonly string[]): Person[] => {
  const found: { at: number; person: Person }[] = [];
  const owner = isOther ? /^your/i : /^(?:my|our)/i;
  const named = new Set<string>();
  for (const match of text.matchAll(OWN)) {
    const [whole, , noun = '', name] = match;
    const isPossessor = /^['’]s\b/.test(text.slice(match.index + whole.length));
    if (!PERSON_NOUNS.has(noun) || isPlural(noun) || isPossessor) continue;
    if (!owner.test(whole)) {
      if (isOther) found.push({ at: match.index, person: { text: whole, gender: genderOf(noun), isTheirs: true } });
      continue;
    }
    const isNamed = name !== undefined && isPersonsName(name) && !isSpeaker(name, names);
    const bare = whole
      .slice(0, isNamed || name === undefined ? undefined : -name.length)
      .replace(/,$/, '')
      .trim();
    const worded = bare.replace(
      /^(?:your|my|our)/i,
      isOther ? 'my' : bare.slice(0, /^our/i.test(bare) ? 3 : 2).toLowerCase(),
    );
    if (isNamed) named.add(name);
    found.push({
      at: match.index,
      person: {
        text: worded.replace(/,(?= \p{Lu})| (?:called|named)(?= \p{Lu})/u, ''),
        gender: genderOf(noun) ?? (isNamed ? (circle.get(name) ?? null) : null),
      },
    });
  }
  for (const match of text.matchAll(/(?<![\p{L}’'-])\p{Lu}\p{Ll}{1,20}(?![\p{L}])/gu)) {
    const [name] = match;
    const gender = circle.get(name);
    if (gender === undefined || named.has(name) || isSpeaker(name, names)) continue;
    named.add(name);
    const title = TITLE_BEFORE.exec(text.slice(Math.max(0, match.index - LONGEST_TITLE), match.index))?.[0] ?? '';
    found.push({ at: match.index, person: { text: `${title}${name}`, gender } });
  }
  for (const match of text.matchAll(SUCCESSOR)) {
    const name = match[1] ?? '';
    if (isOther || named.has(name) || isSpeaker(name, names)) continue;
    named.add(name);
    found.push({ at: match.index, person: { text: name, gender: null } });
  }
  for (const match of text.matchAll(KIN_AS_NAME)) {
    const noun = (match[1] ?? '').toLowerCase();
    if (isOther) continue;
    found.push({ at: match.index, person: { text: `my ${noun}`, gender: genderOf(noun) } });
  }
  const seen = new Set<string>();
  return found
    .sort((one, other) => one.at - other.at)
    .map(({ person }) => person)
    .filter(({ text: worded }) => !seen.has(worded) && seen.add(worded));
};

const isPlural = (noun: string): boolean =>
  /[^s]s$/.test(noun) || /^(?:children|people|family|team|parents|kids|women|men)$/.test(noun);

/** Whom "he" and "she" in a message may mean. */
export class People {
  private readonly names: readonly string[];
  private earlier: readonly (readonly Person[])[] | null = null;

  /**
   * @param previous the message before, usually the other side's
   * @param own the one before that, usually the speaker's
   */
  constructor(
    private readonly circle: Circle,
    private readonly message: WindowMessage,
    private readonly previous: WindowMessage | undefined,
    private readonly own: WindowMessage | undefined,
  ) {
    this.names = [message, previous, own].flatMap((one) => one?.speaker ?? []);
  }

  /**
   * The people that "he" or "she" may mean, nearest group first; searched only if asked for.
   *
   * @param before the part of the message before the clause
   */
  around(before: string): () => readonly (readonly Person[])[] {
    return () => {
      const last = lastSentencesOf(before, REACH).reverse();
      // "Captain Tern is my hero. I love his hat.": someone who is not known comes between.
      const stranger = last.findIndex(
        (text) => NAMED_SUBJECT.test(text) && personsIn(text, this.circle, false, this.names).length === 0,
      );
      const near = last
        .slice(0, stranger < 0 ? undefined : stranger)
        // "She called her hamster Gerald. She also …": still the same person.
        .filter((text) => !/^\W*(?:(?:and|but|so) )?(?:he|she)\b/i.test(text))
        .map((text) => personsIn(text, this.circle, false, this.names));
      this.earlier ??= this.mentionedEarlier();
      return [...near, ...(stranger < 0 ? this.earlier : [])].filter((group) => group.length > 0);
    };
  }

  private mentionedEarlier(): readonly (readonly Person[])[] {
    const { message, previous, own } = this;
    const other = previous === undefined ? [] : this.mentionedIn(previous, previous.role !== message.role);
    // "Aw, lovely!" does not keep to the person; "How old is she?" does.
    const goesOn = own !== undefined && /\b(?:he|she|him|her|his|hers)\b/i.test(previous?.content ?? '');
    return [other, goesOn ? this.mentionedIn(own, own.role !== message.role) : []];
  }

  private mentionedIn({ eventId, content }: WindowMessage, isOther: boolean): readonly Person[] {
    return sentencesOf(content).flatMap(({ text }) =>
      personsIn(text, this.circle, isOther, this.names).map((person) => ({
        ...person,
        source: { eventId, quote: text, context: true as const },
      })),
    );
  }
}
const NAMED_SUBJECT = /^(?:\p{Lu}\p{Ll}+ ){2,3}(?:is|was|has|had|\p{Ll}+(?:ed|s)) /u;
/** Sentences of the message before the clause. */
const REACH = 2;
