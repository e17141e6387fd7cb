import { randomUUID } from 'node:crypto';
import type { RecordSnapshot } from '@turnkeeper/domain';

/**
 * A record as a writer stores it: current, of the actor `ada`, without a strategy and sources.
 *
 * @param at when it was stated, created and updated
 */
export const recordSnapshot = (at: string, parts: Partial<RecordSnapshot> = {}): RecordSnapshot => ({
  recordId: randomUUID(),
  text: randomUUID(),
  namespace: '/n',
  strategyId: null,
  strategyVersion: null,
  actorId: 'ada',
  extractor: 'none',
  model: null,
  promptHash: null,
  slot: null,
  sources: [],
  statedAt: at,
  createdAt: at,
  updatedAt: at,
  supersededBy: null,
  validTo: null,
  ...parts,
});
