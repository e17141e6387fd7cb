export * from './config/define-settings.js';
export * from './config/settings.js';
export * from './logger.js';
export * from './metrics.js';
export * from './shutdown.js';
export * from './ticker.js';
export * from './system.js';
export * from './http/health.js';
