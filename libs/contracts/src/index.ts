export * from './invalid-payload.js';
export * from './http/common.js';
export * from './http/memories.js';
export * from './http/events.js';
export * from './http/records.js';
export * from './http/agents.js';
export * from './http/webhook-endpoints.js';
