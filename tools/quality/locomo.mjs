// Reads conversations in LoCoMo's format: numbered sessions of turns, and `observation`, which lists facts with their
// source turns. No such file is part of this repository.
import { readFileSync } from 'node:fs';

/** @typedef {{ id: string, sessions: import('@turnkeeper/domain').WindowMessage[][], listed: Map<string, string[]> }} Conversation */

/** @returns {Conversation[]} */
export const readConversations = (file) => JSON.parse(readFileSync(file, 'utf8')).map(toConversation);

const toConversation = ({ sample_id: id, conversation, observation }) => {
  let sequence = 0;
  const sessions = sessionNumbers(conversation).map((number) => {
    const start = parseTime(conversation[`session_${number}_date_time`]);
    return conversation[`session_${number}`].map((turn, index) => ({
      eventId: turn.dia_id,
      sequence: (sequence += 1),
      role: turn.speaker === conversation.speaker_a ? 'user' : 'assistant',
      speaker: turn.speaker,
      content: turn.text,
      at: new Date(start + index * 1_000).toISOString(),
      source: null,
    }));
  });
  return { id, sessions, listed: listedTurns(observation) };
};

const sessionNumbers = (conversation) =>
  Object.keys(conversation)
    .map((key) => /^session_(\d+)$/.exec(key)?.[1])
    .filter((number) => number !== undefined)
    .map(Number)
    .sort((a, b) => a - b);

/** Facts per turn id. */
const listedTurns = (observation) => {
  const listed = new Map();
  for (const bySpeaker of Object.values(observation)) {
    for (const [fact, turns] of Object.values(bySpeaker).flat()) {
      for (const turn of [turns].flat()) listed.set(turn, [...(listed.get(turn) ?? []), fact]);
    }
  }
  return listed;
};

/** `4:05 pm on 9 June, 2021` as milliseconds, read as UTC. */
const parseTime = (text) => {
  const match = /^(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)$/.exec(text.trim());
  if (match === null) throw new Error('A session has a time of an unknown form.');
  const [, hour, minute, half, day, month, year] = match;
  const clock = `${(Number(hour) % 12) + (half === 'pm' ? 12 : 0)}:${minute}`;
  return Date.parse(`${month} ${day}, ${year} ${clock} UTC`);
};
