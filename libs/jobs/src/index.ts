export { BullMqJobQueue, QueueUnavailable } from './bullmq-job-queue.js';
export { queueBackend } from './queue-backend.js';
export { WorkerHost, type WorkerHostObserver, type WorkerHostOptions } from './worker-host.js';
