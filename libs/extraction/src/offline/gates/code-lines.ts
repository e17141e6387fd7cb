import type { Span } from '../text/spans.js';
import { isCode } from './code.js';

/** Whether the conversation is within a fenced block of code, which may run over several messages. */
export interface CodeState {
  fenced: boolean;
}

/** Tells for each sentence of a message whether it stands in a line of code. */
export const codeIn = (content: string, state: CodeState): ((sentence: Span) => boolean) => {
  const ranges: [number, number][] = [];
  let start = 0;
  for (const line of content.split('\n')) {
    const fence = line.includes('```');
    if (state.fenced || fence || isCode(line.slice(0, LONGEST_LINE))) ranges.push([start, start + line.length]);
    // A fence that opens and closes in one line leaves the state as it is.
    if (fence && line.indexOf('```') === line.lastIndexOf('```')) state.fenced = !state.fenced;
    start += line.length + 1;
  }
  return (sentence) => ranges.some(([from, to]) => sentence.start < to && sentence.end > from);
};
/** Characters of a line that are looked at. */
const LONGEST_LINE = 500;
