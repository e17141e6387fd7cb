// Draws records to be read by eye.

/** Each record with the first message that it cites, on one line. */
export const recordsWithMessages = ({ id, sessions }, records) => {
  const byId = new Map(sessions.flat().map(({ eventId, content }) => [eventId, content.replace(/\s+/g, ' ').trim()]));
  return records.map(({ text, sources: [{ eventId }] }) => ({ id, eventId, text, message: byId.get(eventId) }));
};

/** `count` of the items in random order; the same seed draws the same. */
export const drawn = (items, count, seed) => {
  let state = seed >>> 0;
  const random = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const left = [...items];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0],
  );
};
