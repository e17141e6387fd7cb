import type { LineageLink, RecordExplanation } from '@turnkeeper/application';
import { recordResponse } from './record-response.js';

const linkResponse = ({ recordId, text, statedAt, supersededBy, validTo }: LineageLink) => ({
  id: recordId,
  memory: text,
  statedAt,
  supersededBy,
  validTo,
});

export const explanationResponse = (explanation: RecordExplanation) => ({
  record: recordResponse(explanation.record),
  statedAt: explanation.statedAt,
  sources: explanation.sources.map((source) => ({ ...source, context: source.context === true })),
  runs: explanation.runs.map(({ strategy, did, refused, ...run }) => ({
    ...run,
    did: [...did],
    strategy:
      strategy === null
        ? null
        : { name: strategy.name, type: strategy.type, customFactExtractionPrompt: strategy.customPrompt },
    refused: { ...refused },
  })),
  changes: [...explanation.changes],
  supersedes: explanation.supersedes.map(linkResponse),
  supersededBy: explanation.supersededBy.map(linkResponse),
});
