import { apiClient } from '../tools/shared/api.mjs';
import { until } from '../tools/shared/wait.mjs';

/** A memory with a strategy for facts, of the tenant with this key. */
export const memoryOfTenant = async ({ url, database }, key) => {
  const api = apiClient({ url, key });
  const { id: memoryId, longTermMemoryStrategies } = await api.post('/memory/memories', {
    name: 'bench',
    longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC' }],
  });
  return { api, database, memoryId, strategyId: longTermMemoryStrategies[0].id };
};

export const sessionPath = ({ memoryId }, session) =>
  `/memory/memories/${memoryId}/actors/ada/sessions/${session}/events`;

export const userTurn = (message) => ({ payload: { type: 'CONVERSATIONAL', role: 'user', message } });

/** Milliseconds from the request to the committed extraction of a new session. */
export const extractOneSession = async (memory) => {
  const { api, database, memoryId, strategyId } = memory;
  const session = `${process.hrtime.bigint()}`;
  await api.post(sessionPath(memory, session), userTurn('I moved to Hue last year.'));
  const started = performance.now();
  const query = `actorId=ada&sessionId=${session}&longTermMemoryStrategyId=${strategyId}`;
  await api.post(`/memory/memories/${memoryId}/memory-records:generate-from-session?${query}`);
  const isExtracted = async () => {
    const { rows } = await database.query(
      'select 1 from extraction_states where memory_id = $1 and session_id = $2 and watermark > 0',
      [memoryId, session],
    );
    return rows.length > 0;
  };
  await until('the extraction', isExtracted, { timeoutMs: 120_000, everyMs: 5 });
  return performance.now() - started;
};
