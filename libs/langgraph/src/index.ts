export { TurnkeeperError } from '@turnkeeper/client';
export type { TurnkeeperOptions } from './client.js';
export { TurnkeeperSaver, type SaverOptions } from './saver.js';
export { TurnkeeperStore, type StoreOptions } from './store.js';
