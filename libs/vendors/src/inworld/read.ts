import type { MemoryStateCaptured } from '@turnkeeper/domain';
import type { MemoryStateBody } from './shapes.js';

/** The state as it is stored; fields that are unknown here are kept. */
export const readMemoryState = ({
  version,
  facts,
  summary,
  context_text,
  turns_since_gen,
  total_turns,
  items_trimmed,
  max_facts,
  ...extra
}: MemoryStateBody): MemoryStateCaptured => ({
  version,
  facts: facts.map((fact) => fact.trim()).filter((fact) => fact !== ''),
  summary: summary.trim(),
  contextText: context_text,
  turnsSinceGen: turns_since_gen,
  totalTurns: total_turns,
  itemsTrimmed: items_trimmed,
  maxFacts: max_facts,
  ...(Object.keys(extra).length === 0 ? {} : { extra: extra as MemoryStateCaptured['extra'] & object }),
});
