import type { FoundBy, ProfileEntry, RecordView } from '@turnkeeper/application';

/** A record in AgentBase's field names (snake_case), with its sources. */
export const recordResponse = (record: RecordView, score: number | null = null, explain?: FoundBy) => ({
  id: record.recordId,
  memory: record.text,
  score,
  ...(explain === undefined ? {} : { explain }),
  namespace: record.namespace,
  strategyId: record.strategyId,
  strategyVersion: record.strategyVersion,
  extractor: record.extractor,
  model: record.model,
  category: record.category,
  subject: record.subject,
  attribute: record.attribute,
  strength: record.strength,
  data: record.data,
  doubts: [...record.doubts],
  timesSeen: record.timesSeen,
  saidAt: record.saidAt,
  eventTime: record.eventTime,
  sources: record.sources.map((source) => ({ ...source, context: source.context === true })),
  supersededBy: record.supersededBy,
  validTo: record.validTo,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});

export const profileEntryResponse = ({ attribute, record }: ProfileEntry) => ({
  name: attribute.name,
  value: attribute.value,
  subject: record.subject,
  saidAt: record.saidAt,
  recordId: record.recordId,
  memory: record.text,
  namespace: record.namespace,
});
