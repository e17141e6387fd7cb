export * from './actions.js';
export * from './codes.js';
export * from './create-instance.js';
export * from './errors.js';
export * from './gate.js';
export { ZEGO_ACTION_NAMES } from './routes.js';
