import type { TransferLine } from '@turnkeeper/contracts';

/**
 * Maps a file's ids to new ones, deterministically. Namespaces that contain a strategy's id are renamed with it.
 *
 * @param rename null leaves all ids unchanged
 */
export const mapIds = (rename: ((id: string) => string) | null): ((line: TransferLine) => TransferLine) => {
  if (rename === null) return (line) => line;
  const strategies = new Map<string, string>();
  const optional = (id: string | null): string | null => (id === null ? null : rename(id));
  return (line) => {
    switch (line.kind) {
      case 'memory':
        return { ...line, memoryId: rename(line.memoryId) };
      case 'strategy':
        strategies.set(line.strategyId, rename(line.strategyId));
        return { ...line, strategyId: rename(line.strategyId) };
      case 'event': {
        const eventId = rename(line.eventId);
        if (line.type !== 'message.interrupted') return { ...line, eventId };
        return { ...line, eventId, data: { ...line.data, messageEventId: rename(line.data.messageEventId) } };
      }
      case 'record': {
        let { namespace } = line;
        for (const [old, renamed] of strategies) namespace = namespace.replaceAll(old, renamed);
        return {
          ...line,
          namespace,
          recordId: rename(line.recordId),
          strategyId: optional(line.strategyId),
          supersededBy: optional(line.supersededBy),
          sources: line.sources.map((source) => ({ ...source, eventId: rename(source.eventId) })),
        };
      }
      case 'checkpoint':
      case 'checkpoint-writes':
      case 'item':
      case 'end':
        return line;
    }
  };
};
