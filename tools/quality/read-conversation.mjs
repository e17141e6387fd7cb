// Extracts a conversation like the service: window by window, with the records made so far.
import { askAndRead, ExtractionFailed } from '@turnkeeper/application';
import { admit } from '@turnkeeper/domain';
import { readNumbers, secrets } from '@turnkeeper/extraction';

/** Messages per window: five turns, the default `turnInterval`; of a model, as of a session that is read at its end. */
const windowOf = ({ costly }) => (costly ? 50 : 10);
const CONTEXT = 4;
/** Number of existing records shown to a model. */
const SHOWN = 36;

/**
 * @param {import('./locomo.mjs').Conversation} conversation
 * @param {import('@turnkeeper/application').Extractor} extractor
 * @returns records, supersessions, and counts of refusals, skips, failures and tokens
 */
export const readConversation = async (conversation, extractor, strategyType = 'SEMANTIC') => {
  const records = new Map();
  const superseded = [];
  const read = { refused: {}, skipped: {}, failed: 0, inputTokens: 0, outputTokens: 0 };
  for (const session of conversation.sessions) {
    const size = windowOf(extractor);
    for (let from = 0; from < session.length; from += size) {
      const messages = session.slice(from, from + size);
      const context = session.slice(Math.max(0, from - CONTEXT), from);
      const known = [...records.values()].filter(({ supersededBy }) => supersededBy === null);
      const listed = extractor.costly ? known : known.filter(({ attribute }) => attribute);
      const existing = listed.length <= SHOWN || !extractor.costly ? listed.map(shown) : likest(listed, messages);
      const input = {
        tenantId: 't',
        strategyType,
        strategyVersion: 1,
        customPrompt: null,
        context,
        messages,
        existing,
      };
      const answer = await answerOf(extractor, input, read);
      if (answer === null) continue;
      const made = records.size;
      const admission = admit({
        candidates: answer.candidates,
        window: messages,
        context,
        known,
        namespace: '/',
        shown: existing.map(({ recordId }) => recordId),
        readNumbers,
        secrets,
        verbatim: !extractor.costly,
        newId: (index) => `${made + index}`,
      });
      count(
        read.refused,
        admission.refused.map(({ reason }) => reason),
      );
      for (const [reason, n] of Object.entries(answer.skipped ?? {}))
        read.skipped[reason] = (read.skipped[reason] ?? 0) + n;
      fold(records, admission);
      for (const { recordId, by } of admission.superseded)
        superseded.push({ old: records.get(recordId), by: records.get(by) });
    }
  }
  return { ...read, records: [...records.values()], superseded };
};

const answerOf = async (extractor, input, read) => {
  try {
    const answer = await askAndRead(extractor, input, new AbortController().signal);
    read.inputTokens += answer.usage?.inputTokens ?? 0;
    read.outputTokens += answer.usage?.outputTokens ?? 0;
    return answer;
  } catch (error) {
    if (!(error instanceof ExtractionFailed)) throw error;
    read.failed += 1;
    return null;
  }
};

/**
 * @param {Map<string, any>} records
 * @param {import('@turnkeeper/domain').Admission} admission
 */
const fold = (records, { records: added, confirmed, continued = [], superseded }) => {
  for (const { recordId, sources } of [...confirmed, ...continued]) records.get(recordId).sources.push(...sources);
  for (const record of added) {
    /** @type {import('@turnkeeper/domain').RecordSource[]} */
    const sources = [...record.sources];
    records.set(record.recordId, { ...record, sources, supersededBy: null });
  }
  for (const { recordId, by } of superseded) records.get(recordId).supersededBy = by;
};

const count = (counts, reasons) => {
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
};

/** The current records that share most words with the window; the service uses its search instead. */
const likest = (known, messages) => {
  const words = wordsOf(messages.map(({ content }) => content).join(' '));
  return known
    .map((record) => ({ record, shared: [...wordsOf(record.text)].filter((word) => words.has(word)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((one, other) => other.shared - one.shared)
    .slice(0, SHOWN)
    .map(({ record }) => shown(record));
};

const shown = ({ recordId, text, statedAt, subject, attribute }) => ({
  recordId,
  text,
  statedAt,
  ...(subject == null ? {} : { subject }),
  ...(attribute == null ? {} : { attribute }),
});

const wordsOf = (text) => new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? []);
