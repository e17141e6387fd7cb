import { InvalidPayload, parseOrRefuse, transferLine, type TransferLine } from '@turnkeeper/contracts';
import { ImportLineInvalid } from '@turnkeeper/domain';

/** A line holds one event at most, and that is bounded; so is what we hold of the file at any time. */
const MAX_LINE_BYTES = 16_777_216;
const NEWLINE = 0x0a;

/** Parses a file of JSON lines as it comes in. Holds one line at a time. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<TransferLine> {
  let number = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      number += 1;
      const line = parse([...held, chunk.subarray(start, end)], number);
      held = [];
      heldBytes = 0;
      start = end + 1;
      if (line !== null) yield line;
    }
    if (start < chunk.length) {
      held.push(chunk.subarray(start));
      heldBytes += chunk.length - start;
    }
    if (heldBytes > MAX_LINE_BYTES) throw new ImportLineInvalid(number + 1, '', 'is longer than 16 MiB');
  }
  const last = parse(held, number + 1);
  if (last !== null) yield last;
}

/** Null for an empty line. */
const parse = (parts: readonly Buffer[], number: number): TransferLine | null => {
  const text = Buffer.concat(parts).toString('utf8').trim();
  if (text === '') return null;
  try {
    return parseOrRefuse('line', transferLine, JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) throw new ImportLineInvalid(number, '', 'is not valid JSON');
    if (error instanceof InvalidPayload) {
      const [issue] = error.issues;
      throw new ImportLineInvalid(number, issue?.field ?? '', issue?.rule ?? 'is not a known line');
    }
    throw error;
  }
};
