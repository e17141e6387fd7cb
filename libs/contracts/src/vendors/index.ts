export * from './agora-notification.js';
export * from './zego-callback.js';
