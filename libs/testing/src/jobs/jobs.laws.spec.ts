import { InMemoryJobQueue } from './in-memory-job-queue.js';
import { jobQueueLaws } from './job-queue.laws.js';

jobQueueLaws('The queue in memory', async () => {
  const queue = new InMemoryJobQueue();
  return {
    queue,
    // A second host only adds concurrency, which the in-memory queue has anyway.
    startHost: async (handlers) => {
      queue.start(handlers);
      return { close: async () => queue.close() };
    },
    close: async () => queue.close(),
  };
});
