/** Two letters, digits or symbols (such as emoji), with anything between them. */
const TWO_SIGNS = /[\p{L}\p{N}\p{S}][^]*?[\p{L}\p{N}\p{S}]/u;
export const isMoreThanALetter = (text: string): boolean => TWO_SIGNS.test(text);

/** Where an extractor left something out. */
const ELLIPSIS = /\u2026|\.{3}/u;

/** Signs that extractors write in another form than the message. */
const SIGNS: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201B': "'",
  '\u201C': '"',
  '\u201D': '"',
  '\u201E': '"',
  '\u2013': '-',
  '\u2014': '-',
};

/**
 * The passages of a message that a quote stands for, verbatim; null if it stands for none. A quote that is not found as
 * it is may differ in case, white space and the form of quotation marks and dashes, and may leave out what it marks
 * with an ellipsis.
 */
export const findQuote = (content: string, quote: string): readonly string[] | null => {
  if (content.includes(quote)) return [quote];
  const { text, starts } = folded(content);
  const passages: string[] = [];
  let from = 0;
  for (const part of quote.split(ELLIPSIS).map((words) => folded(words).text.trim())) {
    if (part === '') continue;
    const at = isMoreThanALetter(part) ? text.indexOf(part, from) : -1;
    if (at < 0) return null;
    from = at + part.length;
    passages.push(content.slice(starts[at], starts[from] ?? content.length).trimEnd());
  }
  return passages.length === 0 ? null : passages;
};

/** The text in lower case, with one space between words, and where in the original each of its characters begins. */
const folded = (original: string): { readonly text: string; readonly starts: readonly number[] } => {
  let text = '';
  const starts: number[] = [];
  let offset = 0;
  for (const sign of original) {
    const plain = /\s/u.test(sign) ? ' ' : (SIGNS[sign] ?? sign.toLowerCase());
    if (plain !== ' ' || !text.endsWith(' ')) {
      text += plain;
      for (let unit = 0; unit < plain.length; unit += 1) starts.push(offset);
    }
    offset += sign.length;
  }
  return { text, starts };
};
