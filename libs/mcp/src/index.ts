export { answerMcpRequest } from './http-handler.js';
export { createMemoryServer } from './memory-server.js';
export type { SendRequest } from './memory-api.js';
