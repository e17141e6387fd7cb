/** Counts tokens as language models do. */
export interface TokenCounter {
  count(text: string): number;
}
