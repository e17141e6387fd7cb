/**
 * The one encoder for text that is put before a model among words of ours. What was said stays readable, and
 * cannot end its line, close its block, take another role or hide from a person who reads the same text.
 */

/** Every kind of line break, the Unicode ones included. */
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/gu;
/**
 * What shows nothing or turns the direction of what is shown: control characters but the tab, soft hyphens, bidi controls,
 * joiners that join nothing in any script, tags, halves of surrogate pairs. The joiners of Persian and of emojis
 * (U+200C, U+200D) and variation selectors stay.
 */
const HIDDEN =
  /(?![\t\n\v\f\r])\p{Cc}|[\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** Places at which a space takes the marks apart that chat templates tell roles by: `<|`, `|>`, `[INST]`. */
const TEMPLATE_MARK = /(?<=[<\uff1c\ufe64])(?=[|\uff5c])|(?<=[|\uff5c])(?=[>\uff1e\ufe65])|(?<=\[)(?=\/?INST\])/giu;
/** The characters of markup, and those that Unicode's compatibility forms make of them. */
const MARKUP: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\uff1c': '&lt;',
  '\ufe64': '&lt;',
  '\uff1e': '&gt;',
  '\ufe65': '&gt;',
};

const visible = (text: string): string => text.replace(HIDDEN, '');
const markless = (text: string): string => text.replace(TEMPLATE_MARK, ' ');

/** For a place between tags: the text as a single line, without a character of markup. */
export const modelLine = (text: string): string =>
  visible(text.replace(LINE_BREAK, ' ').replaceAll('\t', ' '))
    .replace(/[&<>\uff1c\ufe64\uff1e\ufe65]/gu, (sign) => MARKUP[sign] ?? '')
    .replace(/ {2,}/g, ' ')
    .trim();

/** For a place after `ROLE: `: the text with every further line indented, so that only we begin a line. */
export const modelParagraph = (text: string): string =>
  markless(visible(text.replace(LINE_BREAK, '\n'))).replaceAll('\n', '\n  ');

/** A caller's name for a role, as one word in upper case. */
export const modelRole = (role: string): string => {
  const word = role
    .toUpperCase()
    .replace(/[^\p{L}\p{N}_-]+/gu, '_')
    .slice(0, 64);
  return word === '' ? '_' : word;
};

/** A value as one line of JSON. What a reader cannot see or a chat template could take for its own is written as `\uXXXX`. */
export const modelJson = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/[<>]/g, escaped)
    .replace(/[\u007f-\u009f\u2028\u2029]/gu, escaped)
    .replace(HIDDEN, escaped);

const escaped = (sign: string): string =>
  Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/** A block of encoded lines between tags. */
export const modelBlock = (tag: 'memory', lines: readonly string[]): string =>
  [`<${tag}>`, ...lines, `</${tag}>`].join('\n');
