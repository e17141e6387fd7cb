export * from './ports/transaction.port.js';
export * from './ports/event-store.port.js';
export * from './ports/extractor.port.js';
export * from './ports/event-bus.port.js';
export * from './ports/job-queue.port.js';
export * from './ports/clock.port.js';
