import { expect, it } from 'vitest';
import { poolMetrics } from './log-metrics.js';
import { createMetrics } from './metrics.js';

it('sums the connections of all pools by state, as they are when the metrics are read', async () => {
  const metrics = createMetrics();
  const busy = { totalCount: 5, idleCount: 1, waitingCount: 3 };
  poolMetrics(metrics, [busy, { totalCount: 2, idleCount: 2, waitingCount: 0 }]);
  busy.waitingCount = 4;
  const text = await metrics.registry.getSingleMetricAsString('turnkeeper_database_connections');
  for (const [state, count] of Object.entries({ used: 4, idle: 3, waiting: 4 })) {
    expect(text).toContain(`turnkeeper_database_connections{state="${state}"} ${count}\n`.trimEnd());
  }
});
