/**
 * LoCoMo's format (Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM Agents"): an array of
 * two-person conversations in dated sessions. `speaker_a` is taken for the user, `speaker_b` for the assistant.
 *
 * @typedef {object} Turn one event as it is sent
 * @property {{ type: 'CONVERSATIONAL', role: string, message: string }} payload
 * @property {string} [eventTimestamp]
 * @property {Record<string, unknown>} [metadata]
 *
 * @typedef {{ actorId: string, sessionId: string, turns: Turn[] }} Session
 */

/** @param {unknown} data */
export const isLocomo = (data) =>
  Array.isArray(data) && data.length > 0 && data.every((entry) => entry?.conversation?.speaker_a);

/**
 * One actor for each conversation, one session for each of its sessions that holds a turn.
 *
 * @param {any[]} data
 * @returns {Session[]}
 */
export const locomoSessions = (data) =>
  data.flatMap(({ sample_id: sampleId, conversation }, index) =>
    sessionNumbers(conversation).map((number) => ({
      actorId: sampleId ?? `conversation-${index + 1}`,
      sessionId: `session_${number}`,
      turns: conversation[`session_${number}`].map((turn) =>
        toTurn(turn, conversation, parseDate(conversation[`session_${number}_date_time`])),
      ),
    })),
  );

const sessionNumbers = (conversation) =>
  Object.keys(conversation)
    .map((name) => /^session_(\d+)$/.exec(name)?.[1])
    .filter((number) => number !== undefined && conversation[`session_${number}`].length > 0)
    .map(Number)
    .sort((a, b) => a - b);

const toTurn = (turn, { speaker_a: userName, speaker_b: assistantName }, eventTimestamp) => {
  const role = { [userName]: 'user', [assistantName]: 'assistant' }[turn.speaker];
  if (!role) throw new Error(`Turn ${turn.dia_id}: ${turn.speaker} is neither ${userName} nor ${assistantName}.`);
  const metadata = {
    speaker: turn.speaker,
    diaId: turn.dia_id,
    imageCaption: turn.blip_caption,
    imageQuery: turn.query,
    imageUrls: turn.img_url,
  };
  const given = Object.entries(metadata).filter(([, value]) => value !== undefined);
  return {
    payload: { type: 'CONVERSATIONAL', role, message: turn.text },
    eventTimestamp,
    metadata: Object.fromEntries(given),
  };
};

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/**
 * `4:05 pm on 9 June, 2021` as an RFC 3339 time. The format names no time zone; UTC is assumed.
 *
 * @param {string} text
 */
export const parseDate = (text) => {
  const [, hour, minute, half, day, monthName, year] = /^(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)$/.exec(text) ?? [];
  const month = MONTHS.indexOf(monthName);
  if (month === -1) throw new Error(`Not a date of this format: ${text}`);
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  return new Date(Date.UTC(Number(year), month, Number(day), hours, Number(minute))).toISOString();
};
