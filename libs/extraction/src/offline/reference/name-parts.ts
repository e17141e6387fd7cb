import { withoutEnd } from '@turnkeeper/domain';
import { sentencesOf } from '../text/sentences.js';

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
/** Things that have such parts, as speakers name them. */
const MADE =
  /\b(?:ice ?creams?|cakes?|cupcakes?|cookies|brownies|muffins|pies?|tarts?|bread|loaf|loaves|soups?|stews?|curry|curries|pizzas?|pasta|noodles|salads?|sandwich(?:es)?|smoothies|cocktails|coffees?|teas?|chocolates?|desserts?|pastry|pastries|sauces?|pancakes|jam|pottery|vases|bowls|paintings?|drawings?|watercolou?rs|sculptures?|quilts?|scarf|scarves|sweaters?|candles|soaps?|jewel(?:le)?ry|songs?|melody|melodies|stor(?:y|ies)|novels?|poems?|scripts?|dresses|outfits?)\b/giu;
const REACH = 2;

/**
 * The text with what its parts belong to: "User tries new flavours (ice cream)". Returns it unchanged if it names more
 * than parts, and null if the sentences before and the question do not name exactly one thing.
 */
export const nameParts = (plain: string, before: string, question: string | null): string | null => {
  const bare = withoutEnd(plain, /[\s,;:.!?–-]/);
  if (!ONLY_PARTS.test(bare)) return plain;
  const sentences = sentencesOf(before).map(({ text }) => text);
  const near = thingsIn([...sentences.slice(-REACH), question ?? '', bare]);
  const things = near.length > 0 ? near : thingsIn(sentences);
  return things.length === 1 ? `${bare} (${things[0] ?? ''})` : null;
};

const thingsIn = (said: readonly string[]): readonly string[] => [
  ...new Set([...said.join(' ').matchAll(MADE)].map(([thing]) => thing.toLowerCase())),
];

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
  ['I love experimenting with spices', '', null, 'I love experimenting with spices'],
  ['I tried lemon flavours', '', null, 'I tried lemon flavours'],
  ['I love the colours of autumn', '', null, 'I love the colours of autumn'],
] as const satisfies readonly (readonly [string, string, string | null, string | null])[];
