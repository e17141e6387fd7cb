import nlp from 'compromise/two';

/** One word with its part-of-speech tags and the text up to the next word. */
export interface Word {
  readonly text: string;
  readonly lower: string;
  readonly before: string;
  readonly after: string;
  readonly tags: ReadonlySet<string>;
}

interface Term {
  readonly text: string;
  readonly pre: string;
  readonly post: string;
  readonly tags?: ReadonlySet<string>;
}

/** Tags a clause with `compromise`. Concatenating `before + text + after` of all words restores the clause. */
export const wordsOf = (clause: string): Word[] => {
  const words: Word[] = [];
  for (const term of (nlp(clause).docs as unknown as Term[][]).flat()) {
    const last = words.at(-1);
    // `compromise` splits "don't" into two terms, the second without text; here it is one word.
    if (term.text === '' && last !== undefined) {
      words[words.length - 1] = {
        ...last,
        after: last.after + term.pre + term.post,
        tags: new Set([...last.tags, ...(term.tags ?? [])]),
      };
      continue;
    }
    words.push({
      text: term.text,
      lower: term.text.toLowerCase(),
      before: term.pre,
      after: term.post,
      tags: term.tags ?? new Set<string>(),
    });
  }
  return words;
};

export const joinWords = (words: readonly Word[]): string =>
  words.map((word) => word.before + word.text + word.after).join('');
