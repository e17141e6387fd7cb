export { TurnkeeperError, type TurnkeeperOptions } from './api.js';
export { TurnkeeperSaver, type SaverOptions } from './saver.js';
export { TurnkeeperStore, type StoreOptions } from './store.js';
