import { writeJson } from '../text/exact-json.js';

/**
 * The single encoder for untrusted text that is placed in a prompt. The text stays readable, and cannot end its line,
 * close its block, assume another role or hide content from a person who reads the prompt.
 */

/** All line breaks, including the Unicode ones. */
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/gu;
/**
 * Invisible characters and characters that change text direction: control characters except tab, soft hyphens, bidi
 * controls, joiners that join nothing in any script, tags, lone surrogates. The joiners used by Persian and emoji
 * (U+200C, U+200D) and variation selectors are kept.
 */
const HIDDEN =
  /(?![\t\n\v\f\r])\p{Cc}|[\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** Where a space is inserted to break up the role markers of chat templates: `<|`, `|>`, `[INST]`. */
const TEMPLATE_MARK = /(?<=[<\uff1c\ufe64])(?=[|\uff5c])|(?<=[|\uff5c])(?=[>\uff1e\ufe65])|(?<=\[)(?=\/?INST\])/giu;
/** Markup characters, and their Unicode compatibility forms. */
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

/** For text between tags: a single line without markup characters. */
export const modelLine = (text: string): string =>
  visible(text.replace(LINE_BREAK, ' ').replaceAll('\t', ' '))
    .replace(/[&<>\uff1c\ufe64\uff1e\ufe65]/gu, (sign) => MARKUP[sign] ?? '')
    .replace(/ {2,}/g, ' ')
    .trim();

/** For text after `ROLE: `: continuation lines are indented, so that no line of the text starts at column 0. */
export const modelParagraph = (text: string): string =>
  markless(visible(text.replace(LINE_BREAK, '\n'))).replaceAll('\n', '\n  ');

/** A client's role name as one upper-case word. */
export const modelRole = (role: string): string => {
  const word = role
    .toUpperCase()
    .replace(/[^\p{L}\p{N}_-]+/gu, '_')
    .slice(0, 64);
  return word === '' ? '_' : word;
};

/** A value as one line of JSON. Invisible characters and chat-template markers are escaped as `\uXXXX`. */
export const modelJson = (value: unknown): string =>
  writeJson(value)
    .replace(/[<>]/g, escaped)
    .replace(/[\u007f-\u009f\u2028\u2029]/gu, escaped)
    .replace(HIDDEN, escaped);

const escaped = (sign: string): string =>
  Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/** Wraps encoded lines in a tag. */
export const modelBlock = (tag: 'memory', lines: readonly string[]): string =>
  [`<${tag}>`, ...lines, `</${tag}>`].join('\n');
