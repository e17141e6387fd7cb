export { BullMqJobQueue, QueueUnavailable, type BullMqJobQueueOptions } from './bullmq-job-queue.js';
export {
  collectHandlers,
  JOBS,
  QUEUES,
  type HandlerEntry,
  type JobDefinition,
  type QueueName,
} from './job-registry.js';
export { queueBackend, type QueueBackend, type QueueBackendOptions } from './queue-backend.js';
export { WorkerHost, type WorkerHostObserver, type WorkerHostOptions } from './worker-host.js';
