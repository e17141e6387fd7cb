import { admit, type Admission, type AdmissionInput } from '../records/admit.js';
import type { Candidate, KnownRecord, WindowMessage } from '../records/candidate.js';
import type { SecretReader } from '../records/judge-candidate.js';

export const message = (eventId: string, content: string, sequence = 1): WindowMessage => ({
  eventId,
  sequence,
  role: 'user',
  speaker: null,
  content,
  at: '2023-05-08T12:00:00Z',
  source: null,
});
export const WINDOW = [message('e1', 'I moved to Hue. 🌊 I like tea.', 1), message('e2', 'I really like tea.', 2)];

/** Knows PINs and memorable words. */
const SECRETS: SecretReader = {
  holds: (text) => /\bpin\b.*\d/i.test(text),
  isAskedFor: (question) => /\bPIN\b|memorable/.test(question),
};

/** Admission with a reader of secrets. */
export const admitted = (input: Omit<AdmissionInput, 'secrets'>): Admission => admit({ ...input, secrets: SECRETS });

export const knownRecord = (record: { recordId: string; text: string } & Partial<KnownRecord>): KnownRecord => ({
  statedAt: '2023-05-01T00:00:00Z',
  slot: null,
  ...record,
});

export const run = (
  candidates: readonly Candidate[],
  known: ({ recordId: string; text: string } & Partial<KnownRecord>)[] = [],
  window: readonly WindowMessage[] = WINDOW,
  context: readonly WindowMessage[] = [],
): Admission =>
  admitted({
    candidates,
    window,
    context,
    known: known.map(knownRecord),
    namespace: '/n',
    newId: (index) => `r${index}`,
  });

export const fact = (text: string, eventId: string, quote: string): Candidate => ({
  text,
  sources: [{ eventId, quote }],
});
