import { withoutEnd } from '@turnkeeper/domain';
import { type Token, tokensOf } from '../facts/tokens.js';
import { sentencesOf } from '../text/sentences.js';
import { isAboutListener, isOwnMention } from './own-mention.js';

/** What things consist of: "flavours", "toppings" say nothing without the thing. */
const PARTS =
  '(?:flavou?rs?|toppings?|fillings?|textures?|colou?rs?|shades|techniques|patterns|combos|combinations|twists|themes|tones|beats|chords|settings)';
const ANY =
  '(?:different|new|various|other|some|unique|cool|fun|great|nice|interesting|more|many|several|all|the|these|those|creative|bold|fresh|simple)';
/** A verb or preposition, then only parts up to the end: "is trying out new flavours and toppings". */
const ONLY_PARTS = new RegExp(
  String.raw`(?:\b(?:with|out|up|for|in|on|of|to|about)|\b\p{L}+(?:ed|ing)|\b(?:love|like|enjoy|try|add|mix|use|choose|chose|found|made|picked)) (?:${ANY} ){0,4}${PARTS}(?: (?:and|or|&) (?:${ANY} ){0,3}${PARTS})?(?: (?:lately|recently|too|together|(?:these|every) \p{L}+))?$`,
  'iu',
);
type Kind = 'food' | 'craft' | 'music' | 'writing';
/** Things that have such parts, as speakers name them. */
const MADE: Readonly<Record<Kind, string>> = {
  food: 'ice ?creams?|cakes?|cupcakes?|cookies|brownies|muffins|pies?|tarts?|bread|loaf|loaves|soups?|stews?|curry|curries|pizzas?|pasta|noodles|salads?|sandwich(?:es)?|smoothies|cocktails|coffees?|teas?|chocolates?|desserts?|pastry|pastries|sauces?|pancakes|jam',
  craft:
    'pottery|vases|bowls|paintings?|drawings?|watercolou?rs|sculptures?|quilts?|scarf|scarves|sweaters?|candles|soaps?|jewel(?:le)?ry|dresses|outfits?',
  music: 'songs?|melody|melodies',
  writing: 'stor(?:y|ies)|novels?|poems?|scripts?',
};
/** Which kinds of things have the parts. A cake may have colours, but who speaks of colours means what they paint. */
const PARTS_OF: readonly (readonly [part: RegExp, kinds: readonly Kind[]])[] = [
  [/^(?:flavou?rs?|toppings?|fillings?|combos|combinations|twists)$/, ['food']],
  [/^(?:colou?rs?|shades|patterns)$/, ['craft']],
  [/^(?:textures?|techniques)$/, ['food', 'craft']],
  [/^(?:beats|chords)$/, ['music']],
  [/^tones$/, ['craft', 'music']],
  [/^themes$/, ['craft', 'music', 'writing']],
  [/^settings$/, ['writing']],
];
/** "I drank a coffee", "I read stories": not what the speaker makes. */
const USES =
  /^(?:had|read|reading|drink|drank|drinking|eat|ate|eating|bought|buying|ordered|sold|heard|listen(?:ed|ing)?|watch(?:ed|ing)?|avoid|allergic|tired|sick)$/;
const REACH = 2;

/**
 * The text with what its parts belong to: "User tries new flavours (ice cream)". Returns it unchanged if it names more
 * than parts, and null if the sentences before and the question do not name exactly one thing.
 */
export const nameParts = (plain: string, before: string, question: string | null): string | null => {
  const bare = withoutEnd(plain, /[\s,;:.!?–-]/);
  if (!ONLY_PARTS.test(bare)) return plain;
  const kinds = kindsOf(bare);
  const sentences = sentencesOf(before).map(({ text }) => text);
  const made = (texts: readonly string[]) => texts.flatMap((text) => thingsIn(text, kinds, isMade));
  const asked = tokensOf(question ?? '');
  const near = [
    ...made(sentences.slice(-REACH)),
    ...thingsIn(question ?? '', kinds, () => isAboutListener(asked) && !isUsed(asked)),
    ...thingsIn(bare, ALL, () => true),
  ];
  const things = near.length > 0 ? near : made(sentences);
  const [only, ...others] = new Set(things.map(({ name }) => name));
  return only === undefined || others.length > 0 || !things.some(({ isOwn }) => isOwn) ? null : `${bare} (${only})`;
};

const isUsed = (tokens: readonly Token[]): boolean => tokens.some(({ key }) => USES.test(key));
const isMade = (tokens: readonly Token[], at: number): boolean => isOwnMention(tokens, at) && !isUsed(tokens);

interface Thing {
  readonly name: string;
  readonly isOwn: boolean;
}

const ALL: readonly Kind[] = ['food', 'craft', 'music', 'writing'];

/** The kinds of things that have all the parts named: none has both flavours and colours. */
const kindsOf = (bare: string): readonly Kind[] => {
  const named = tokensOf(bare).flatMap(({ key }) => PARTS_OF.filter(([part]) => part.test(key)));
  return ALL.filter((kind) => named.every(([, kinds]) => kinds.includes(kind)));
};

const thingsIn = (
  sentence: string,
  kinds: readonly Kind[],
  isOwn: (tokens: readonly Token[], at: number) => boolean,
): readonly Thing[] => {
  if (kinds.length === 0) return [];
  const tokens = tokensOf(sentence);
  const made = new RegExp(String.raw`\b(?:${kinds.map((kind) => MADE[kind]).join('|')})\b`, 'giu');
  return [...sentence.matchAll(made)].map((match) => ({
    name: match[0].toLowerCase(),
    isOwn: isOwn(tokens, tokensOf(sentence.slice(0, match.index)).length),
  }));
};

export const examples = [
  ['I am trying out new flavours', 'I made coconut ice cream.', null, 'I am trying out new flavours (ice cream)'],
  ['I love to mix toppings', '', 'Do you still make pizza?', 'I love to mix toppings (pizza)'],
  ['I am experimenting with flavours', '', null, null],
  ['I am experimenting with flavours', 'I made a cake and a soup.', null, null],
  [
    'I am trying out new flavours',
    'I make ice cream. It is fun. It is cold. It is late.',
    null,
    'I am trying out new flavours (ice cream)',
  ],
  ['I am experimenting with flavours lately', 'I hate coffee.', null, null],
  ['I am experimenting with flavours', 'I stopped drinking coffee.', null, null],
  ['I am experimenting with flavours', 'I never bake cakes.', null, null],
  ['I am experimenting with flavours', 'I had a coffee with Ana.', null, null],
  ['I am experimenting with flavours', 'My sister baked a cake.', null, null],
  ['I am experimenting with flavours', 'I make ice cream. My sister baked a cake.', null, null],
  ['I am trying out new colours', 'My sister baked a cake.', null, null],
  ['I am trying out new colours', 'I baked a cake.', null, null],
  ['I am trying out new colours', 'I read my kids stories.', null, null],
  ['I am trying out new colours', 'I baked a cake. Then I made vases.', null, 'I am trying out new colours (vases)'],
  ['I am trying out new flavours and colours', 'I baked a cake.', null, null],
  ['I decorated cakes with bold colours', '', null, 'I decorated cakes with bold colours (cakes)'],
  ['I love experimenting with spices', '', null, 'I love experimenting with spices'],
  ['I tried lemon flavours', '', null, 'I tried lemon flavours'],
  ['I love the colours of autumn', '', null, 'I love the colours of autumn'],
] as const satisfies readonly (readonly [string, string, string | null, string | null])[];
