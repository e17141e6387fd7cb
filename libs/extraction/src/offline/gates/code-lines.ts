import type { Span } from '../text/spans.js';
import { isCode } from './code.js';

/** Whether the conversation is inside a fenced code block, which may span several messages. */
export interface CodeState {
  fenced: boolean;
}

/** Returns a function that reports whether a sentence is on a line of code. */
export const codeIn = (content: string, state: CodeState): ((sentence: Span) => boolean) => {
  const ranges: [number, number][] = [];
  let start = 0;
  for (const line of content.split('\n')) {
    const fence = line.includes('```');
    if (state.fenced || fence || isCode(line.slice(0, LONGEST_LINE))) ranges.push([start, start + line.length]);
    // A fence that opens and closes on one line does not change the state.
    if (fence && line.indexOf('```') === line.lastIndexOf('```')) state.fenced = !state.fenced;
    start += line.length + 1;
  }
  return (sentence) => ranges.some(([from, to]) => sentence.start < to && sentence.end > from);
};
/** Number of characters of a line to check. */
const LONGEST_LINE = 500;
