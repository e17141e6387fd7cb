// Conversations whose facts are known, for `npm run bench -- memory FILE`. No such file is part of this repository.
import { readConversations } from '../../tools/quality/locomo.mjs';
import { isLocomo } from '../../tools/replay/locomo.mjs';
import { conversationsOf } from '../recall/formats.mjs';

/**
 * @typedef {{ service: string, slot: string, values: string[] }} Slot
 * @typedef {{ id: string, set: string, sessions: import('@turnkeeper/domain').WindowMessage[][], slots: Slot[] }} Call
 */

/** Service calls have no times of their own. */
const SAID_ON = Date.parse('2019-03-01T12:00:00Z');

const isCalls = (data) => Array.isArray(data) && data.every((entry) => Array.isArray(entry?.turns) && entry.gold);

/** @returns {{ calls: Call[], chats: null } | { calls: null, chats: { chat: any, sessions: any }[] }} */
export const conversationsIn = (file, data) => {
  if (isCalls(data)) return { calls: data.map(callOf), chats: null };
  if (!isLocomo(data)) throw new Error('Neither service calls ({id, set, turns, gold}) nor LoCoMo’s format.');
  const read = readConversations(file);
  return { calls: null, chats: conversationsOf(data).map((chat, index) => ({ chat, sessions: read[index] })) };
};

const callOf = ({ id, set, turns, gold }) => ({
  id,
  set,
  slots: gold,
  sessions: [
    turns.map(([role, content], index) => ({
      eventId: `${id}:${index + 1}`,
      sequence: index + 1,
      role,
      speaker: null,
      content,
      at: new Date(SAID_ON + index * 1_000).toISOString(),
      source: null,
    })),
  ],
});
