import type { MessageEvent } from '../session/fold-messages.js';
import { isToolRole } from '../session/roles.js';

/** Messages that stand or fall together: a single one, or an assistant's calls with all of their results. */
export type WindowUnit = readonly MessageEvent[];

interface OpenGroup {
  readonly unit: MessageEvent[];
  /** Calls without a result so far. */
  readonly missing: Set<string>;
}

/**
 * Cuts a history into what may not be parted. Models refuse a call without its results and a result without its call
 * (OpenAI's rule), so results move up to directly behind their call, and these are left out:
 *
 * - calls that still wait for a result, with what has come of them
 * - results whose call is not in the history, or that answer a call a second time
 *
 * Everything else keeps the order of the history.
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

/** The ids of the calls in a message; empty when it makes none. */
export const callIdsOf = ({ data }: MessageEvent): string[] =>
  (data.toolCalls ?? []).map((call) => (typeof call['id'] === 'string' ? call['id'] : ''));
