// Draws records to be read by eye.
import { randomFrom } from '../shared/random.mjs';

/** Each record with the first message that it cites, on one line. */
export const recordsWithMessages = ({ id, sessions }, records) => {
  const byId = new Map(sessions.flat().map(({ eventId, content }) => [eventId, content.replace(/\s+/g, ' ').trim()]));
  return records.map(({ text, sources: [{ eventId }] }) => ({ id, eventId, text, message: byId.get(eventId) }));
};

/** `count` of the items in random order; the same seed draws the same. */
export const drawn = (items, count, seed) => {
  const random = randomFrom(seed);
  const left = [...items];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0],
  );
};
