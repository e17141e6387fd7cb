export * from './agora-notification.js';
export { parseExactJson } from './exact-json.js';
export * from './zego-callback.js';
