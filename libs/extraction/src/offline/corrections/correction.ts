import { MONTHS, withoutEnd } from '@turnkeeper/domain';
/** How a sentence changes an earlier statement. */
export type Correction =
  | {
      readonly kind: 'retract';
      /** Offset at which the sentence continues after the retraction. */ readonly restAt: number;
    }
  | { readonly kind: 'replace'; readonly value: string };

const OPENERS =
  /^(?:(?:oh|no|nope|sorry|wait|actually|oops|hmm+|hm|ah|uh|um|my bad|correction|ok|okay|well|hang on|hold on)[,:;!. –—-]+)*/i;
const RETRACT =
  /^(?:please )?(?:forget (?:that|it|about (?:that|it)|what i (?:just )?said)|scratch that|never ?mind|strike that|ignore that|disregard that|i take (?:that|it) back|(?:that's|that was|that is) (?:wrong|not (?:right|true)|a mistake|a joke)|just kidding|i was (?:joking|kidding)|i mixed (?:it|that) up)(?=$|[,.;!:–—-])/i;
const MEANT =
  /^(?:i mean(?:t)?(?: to say)?|i should have said|make (?:it|that)|it should be|that should be|(?:it's|it is|that's) actually) (?:on |at |in |for )?(.+)$/i;
/** Only with an opener: "it's" alone corrects nothing. */
const BARE = /^(?:it's|it is|that's|that is)(?: on| at| in| for)? (.+)$/i;
const SPELLED = /^(?:it's|it is|that's|that is) (?:spelled )?(\p{L}+),? with an? \S+$/iu;
const COUNTED = /^(\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: \p{L}+)?$/iu;

/** How many messages back a correction may refer to: to the one before the other side's reply. */
export const CORRECTION_REACH = 3;

/** Detects a sentence that retracts or corrects its speaker's earlier statement. Returns null otherwise. */
export const correctionIn = (sentence: string): Correction | null => {
  const text = sentence.trimEnd().replaceAll('’', "'");
  const opener = OPENERS.exec(text)?.[0] ?? '';
  const rest = withoutEnd(text.slice(opener.length), /[.!\s]/);
  const taken = RETRACT.exec(rest)?.[0];
  if (taken !== undefined)
    return { kind: 'retract', restAt: sentence.length - text.length + opener.length + taken.length };
  const spelled = SPELLED.exec(rest)?.[1];
  if (spelled !== undefined) return { kind: 'replace', value: spelled };
  const meant =
    MEANT.exec(rest)?.[1] ?? (opener === '' ? undefined : (BARE.exec(rest)?.[1] ?? COUNTED.exec(rest)?.[0]));
  return meant === undefined || meant.length > 60 ? null : { kind: 'replace', value: meant };
};

const MONTH = MONTHS.join('|');
/** Kinds of interchangeable values; the first that occurs in both texts decides. */
const KINDS: readonly RegExp[] = [
  new RegExp(
    String.raw`\b\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:${MONTH})\b|\b(?:${MONTH}) \d{1,2}(?:st|nd|rd|th)?\b`,
    'i',
  ),
  /\b(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i,
  /\b\d{1,2}(?::\d\d)? ?(?:am|pm|o'clock)\b|\bnoon\b|\bmidnight\b/i,
  /(?<!\d)\+?\d[\d ,.-]*\d|\b\d\b|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/i,
];
const NAME = /(?<=[\p{L}\d,'’] )\p{Lu}[\p{L}\p{N}'’-]*(?: \p{Lu}[\p{L}\p{N}'’-]*)*(?![\p{L}])/gu;

/** Replaces the corrected value in a clause. Returns null if the clause has no value of that kind. */
export const corrected = (clause: string, value: string): string | null => {
  for (const kind of KINDS) {
    const meant = kind.exec(value)?.[0];
    if (meant === undefined) continue;
    return kind.test(clause) ? clause.replace(kind, meant.trim()) : null;
  }
  const name = /^\p{Lu}[\p{L}\p{N}'’-]*(?: \p{Lu}[\p{L}\p{N}'’-]*)*/u.exec(value)?.[0];
  if (name === undefined) return null;
  const last = [...clause.matchAll(NAME)]
    .filter(([word]) => !/^(?:I|I'm|I've|I'll)$/.test(word) && !/day$/.test(word))
    .at(-1);
  if (last === undefined) return null;
  return clause.slice(0, last.index) + name + clause.slice(last.index + last[0].length);
};

export const examples = {
  corrections: [
    ['No, I meant Tuesday.', { kind: 'replace', value: 'Tuesday' }],
    ['Actually make it five.', { kind: 'replace', value: 'five' }],
    ["Sorry, it's John with an h.", { kind: 'replace', value: 'John' }],
    ['Forget that, I mixed it up.', { kind: 'retract', restAt: 11 }],
    ['Never mind.', { kind: 'retract', restAt: 10 }],
    ["It's a nice day.", null],
    ['I meant to call you, but I fell asleep and then it was far too late for anybody to still be up', null],
  ] as const satisfies readonly (readonly [string, Correction | null])[],
  values: [
    ['I have a dentist appointment on Monday', 'Tuesday', 'I have a dentist appointment on Tuesday'],
    ['My name is Jon', 'John', 'My name is John'],
    ['I have two brothers', 'three brothers', 'I have three brothers'],
    ['I like tea', 'Tuesday', null],
  ] as const satisfies readonly (readonly [string, string, string | null])[],
};
