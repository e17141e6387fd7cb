import type { ExtractSession } from '@turnkeeper/application';
import type { WorkerResources } from '../resources.js';

/**
 * A span for each window that is extracted. It continues the trace of the newest turn and links to those of the other
 * turns; without any it starts a new trace.
 */
export const tracedExtraction = (
  extractSession: Pick<ExtractSession, 'execute'>,
  { tracing, traceContexts }: Pick<WorkerResources, 'tracing' | 'traceContexts'>,
): Pick<ExtractSession, 'execute'> => {
  if (!tracing.on) return extractSession;
  return {
    execute: async (sessionKey, strategyId, signal) => {
      const work = await traceContexts.ofSession(sessionKey, strategyId).catch(() => null);
      const [parent, ...links] = new Set(work?.causes ?? []);
      const span = tracing.start('extract session', {
        kind: 'consumer',
        parent,
        links,
        attributes: {
          'gen_ai.operation.name': 'upsert_memory',
          'gen_ai.memory.store.id': work?.memoryId,
          'gen_ai.conversation.id': work?.sessionId,
        },
      });
      if (span === undefined) return extractSession.execute(sessionKey, strategyId, signal);
      try {
        const outcome = await span.run(() => extractSession.execute(sessionKey, strategyId, signal));
        // Most jobs find the work already done by another one: their spans are never ended, so they are not exported.
        if (outcome.kind === 'not_due') return outcome;
        span.set({ 'turnkeeper.outcome': outcome.kind });
        if (outcome.kind === 'extracted') span.set({ 'gen_ai.memory.record.count': outcome.records });
        if (outcome.kind === 'retry' || outcome.kind === 'parked') span.fail(outcome.code);
        span.end();
        return outcome;
      } catch (error) {
        span.fail(error);
        span.end();
        throw error;
      }
    },
  };
};
