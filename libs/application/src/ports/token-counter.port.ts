/** Counts a text's tokens as models do. */
export interface TokenCounter {
  count(text: string): number;
}
