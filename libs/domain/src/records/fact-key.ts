/** Texts with equal keys state the same fact: case, punctuation and spacing are ignored. */
export const factKey = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
