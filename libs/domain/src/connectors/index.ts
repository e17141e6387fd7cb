export * from './agora-snapshot.js';
export * from './zego-callbacks.js';
