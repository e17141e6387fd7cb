export * from './webhook-event.js';
export * from './attempt.js';
export * from './retry-schedule.js';
export * from './delivery.js';
export * from './history.js';
export * from './standard-messages.js';
export * from './agora-messages.js';
export * from './webhook-errors.js';
