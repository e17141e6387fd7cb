import type { MessageEvent } from '../session/fold-messages.js';
import { isToolRole } from '../session/roles.js';
import { plainText } from '../text/exact-json.js';

/** Messages that must stay together: a single one, or an assistant's tool calls with all their results. */
export type WindowUnit = readonly MessageEvent[];

interface OpenGroup {
  readonly unit: MessageEvent[];
  /** Ids of calls without a result so far. */
  readonly missing: Set<string>;
}

/**
 * Groups a history into units that must not be split. Models reject a call without its results and a result without its
 * call (OpenAI's rule), so results are moved directly after their call. Left out:
 *
 * - calls that still miss a result, together with the results received so far
 * - results whose call is not in the history, and duplicate results
 *
 * Otherwise the order is unchanged.
 */
export const unitsOf = (messages: readonly MessageEvent[]): WindowUnit[] => {
  const units: MessageEvent[][] = [];
  const open = new Map<string, OpenGroup>();
  const unfinished = new Set<readonly MessageEvent[]>();
  for (const message of messages) {
    const { role, toolCallId } = message.data;
    const calls = callIdsOf(message);
    if (calls.length > 0) {
      const group = { unit: [message], missing: new Set(calls) };
      for (const id of group.missing) open.set(id, group);
      unfinished.add(group.unit);
      units.push(group.unit);
    } else if (toolCallId !== undefined || isToolRole(role)) {
      const group = toolCallId === undefined ? undefined : open.get(toolCallId);
      if (group === undefined || toolCallId === undefined) continue;
      open.delete(toolCallId);
      group.missing.delete(toolCallId);
      group.unit.push(message);
      if (group.missing.size === 0) unfinished.delete(group.unit);
    } else units.push([message]);
  }
  return units.filter((unit) => !unfinished.has(unit));
};

/** Ids of the calls in a message; empty if it has none. */
export const callIdsOf = ({ data }: MessageEvent): string[] =>
  (data.toolCalls ?? []).map((call) => (typeof call['id'] === 'string' ? plainText(call['id']) : ''));
