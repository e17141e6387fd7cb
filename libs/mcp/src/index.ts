export { answerMcpRequest, type McpCaller } from './http-handler.js';
export { createMemoryServer } from './memory-server.js';
export type { ApiRequest, ApiResponse, SendRequest } from './memory-api.js';
export type { MemoryScope } from './memory-tools.js';
