import type { ReadLine } from '@turnkeeper/application';
import { InvalidPayload, parseOrRefuse, transferLine } from '@turnkeeper/contracts';
import { ImportLineInvalid, parseJson } from '@turnkeeper/domain';
import type { BodyBudget } from '../edge/body-budget.js';
import { JSON_LIMITS, jsonBeyond } from '../edge/json-shape.js';
import { errorOf, SMALL_BYTES } from '../edge/read-body.js';

/** A line holds at most one event, which is bounded; so is the buffer. */
const MAX_LINE_BYTES = 33_554_432;
const NEWLINE = 0x0a;

/**
 * Parses a JSON Lines file as a stream, buffering one line at a time. Long lines count as request bodies do, until the next
 * line is asked for.
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  owner: string,
  budget: Pick<BodyBudget, 'take' | 'give'>,
): AsyncGenerator<ReadLine> {
  let reserved = 0;
  const reserve = (bytes: number): void => {
    if (bytes <= Math.max(SMALL_BYTES, reserved)) return;
    const refusal = budget.take(owner, bytes - reserved);
    if (refusal !== null) throw errorOf(refusal);
    reserved = bytes;
  };
  const release = (): void => {
    budget.give(owner, reserved);
    reserved = 0;
  };
  try {
    for await (const line of linesOf(chunks, reserve)) {
      yield line;
      release();
    }
  } finally {
    release();
  }
}

/** @param reserve called with the bytes of the line so far */
async function* linesOf(chunks: AsyncIterable<Buffer>, reserve: (bytes: number) => void): AsyncGenerator<ReadLine> {
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
    if (heldBytes > MAX_LINE_BYTES) throw new ImportLineInvalid(number + 1, '', 'is longer than 32 MiB');
    reserve(heldBytes);
  }
  const last = parse(held, number + 1);
  if (last !== null) yield last;
}

/** Null for an empty line. */
const parse = (parts: readonly Buffer[], number: number): ReadLine | null => {
  const bytes = Buffer.concat(parts);
  const text = bytes.toString('utf8').trim();
  if (text === '') return null;
  try {
    if (jsonBeyond(bytes, JSON_LIMITS) !== null) {
      throw new ImportLineInvalid(
        number,
        '',
        `must be at most ${JSON_LIMITS.depth} levels deep and of ${JSON_LIMITS.values} values`,
      );
    }
    return { line: parseOrRefuse('line', transferLine, parseJson(text)), bytes: bytes.length };
  } catch (error) {
    if (error instanceof SyntaxError) throw new ImportLineInvalid(number, '', 'is not valid JSON');
    if (error instanceof InvalidPayload) {
      const [issue] = error.issues;
      throw new ImportLineInvalid(number, issue?.field ?? '', issue?.rule ?? 'is not a known line');
    }
    throw error;
  }
};
