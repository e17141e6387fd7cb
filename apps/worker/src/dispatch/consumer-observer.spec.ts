import { createMetrics, type Logger } from '@turnkeeper/platform';
import { expect, it, vi } from 'vitest';
import { consumerObserver } from './consumer-observer.js';

it('counts and logs the failures of the consumer', async () => {
  const metrics = createMetrics();
  const warn = vi.fn();
  const observer = consumerObserver({ warn } as unknown as Logger, metrics);
  const cause = new Error('no database');
  observer.handled?.('worker-dispatcher');
  observer.retried?.('worker-dispatcher', 3, 1_000, cause);
  observer.interrupted?.('worker-dispatcher', cause);
  const page = await metrics.registry.metrics();
  for (const outcome of ['handled', 'retried']) {
    expect(page).toContain(`turnkeeper_consumer_messages_total{durable="worker-dispatcher",outcome="${outcome}"} 1`);
  }
  expect(page).toContain('turnkeeper_consumer_interruptions_total{durable="worker-dispatcher"} 1');
  expect(warn.mock.calls).toMatchObject([
    [{ attempt: 3, err: cause }, 'message.retried'],
    [{ err: cause }, 'consumer.interrupted'],
  ]);
});
