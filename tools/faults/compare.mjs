/**
 * @typedef {{ content: string, eventId?: string, sequence?: number }} Item as a reader returned it
 * @typedef {{ must: readonly Item[], may: Set<string>, never: Set<string> }} Expected `must` in order; `may` for
 *   writes without an answer and erasures under way; `never` for what was erased or refused
 */

/**
 * Compares what a reader returned with what it must return: everything acknowledged, once, in order, nothing erased and
 * nothing that no one wrote.
 *
 * @param {Expected} expected
 * @param {readonly Item[]} found in the reader's order
 * @param {{ newest?: number, only?: ReadonlySet<string>, sorted?: boolean }} [scope] `newest`: this many at most; `only`:
 *   a search, which must return these contents; `sorted: false`: the order has a meaning of its own
 * @returns {string[]} one line per fault
 */
export const compare = ({ must, may, never }, found, { newest = Infinity, only, sorted = true } = {}) => {
  const faults = [];
  const seen = new Map();
  for (const item of found) {
    if (seen.has(item.content)) faults.push(`twice: ${item.content}`);
    seen.set(item.content, item);
  }
  const demanded = only ? must.filter(({ content }) => only.has(content)) : must.slice(-newest);
  for (const { content } of demanded) if (!seen.has(content)) faults.push(`lost: ${content}`);
  const byContent = new Map(must.map((item, at) => [item.content, { ...item, at }]));
  let last = -1;
  for (const { content, eventId, sequence } of found) {
    const written = byContent.get(content);
    if (never.has(content)) faults.push(`leaked: ${content}`);
    else if (written === undefined && !may.has(content)) faults.push(`never written: ${content}`);
    if (written === undefined) continue;
    if (eventId !== undefined && eventId !== written.eventId) faults.push(`other id: ${content}`);
    if (sequence !== undefined && sequence !== written.sequence) faults.push(`other sequence: ${content}`);
    if (sorted && written.at < last) faults.push(`out of order: ${content}`);
    last = written.at;
  }
  return faults;
};

/** What holds both before and after a read: a write during the read may be in it or not. */
export const during = (before, after) => {
  const contents = new Set(after.must.map(({ content }) => content));
  const must = before.must.filter(({ content }) => contents.has(content));
  const steady = new Set(must.map(({ content }) => content));
  const later = after.must.map(({ content }) => content).filter((content) => !steady.has(content));
  const leaving = before.must.map(({ content }) => content).filter((content) => !steady.has(content));
  return { must, may: new Set([...before.may, ...after.may, ...later, ...leaving]), never: before.never };
};
