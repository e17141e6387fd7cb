import type { routes } from './index.js';

/**
 * Whose data a route accesses, and where a request names the user. Determines the checks for a request on behalf of one
 * end user, identified by the runtime's headers or by a key of one actor:
 *
 * - `none`: no user's data
 * - `actor`: `actorId` in the path, the query or the body must be that user
 * - `namespace`: the namespace in the query must belong to that user
 * - `namespaces`: the same for every record in the body
 * - `record`: the namespace of the record with this id must belong to that user
 * - `agent`: the agent with this id must belong to that user
 * - `everyone`: data of many users; rejected
 * - `operator`: data of many users, behind a scope that no runtime has
 */
export type UserData = 'none' | 'actor' | 'namespace' | 'namespaces' | 'record' | 'agent' | 'everyone' | 'operator';

type RouteId = Exclude<keyof typeof routes, 'getWholeHistory'>;

const OURS = {
  listErasureKeys: 'none',
  listMemories: 'none',
  createMemory: 'none',
  deleteMemory: 'everyone',
  getMemory: 'none',
  changeMemory: 'none',
  listStrategies: 'none',
  addStrategy: 'none',
  getStrategy: 'none',
  changeStrategy: 'none',
  deleteStrategy: 'everyone',
  getUsage: 'none',
  getLimits: 'none',
  listActors: 'everyone',
  deleteActor: 'actor',
  getActor: 'actor',
  listSessions: 'actor',
  listRecentSessions: 'actor',
  deleteSession: 'actor',
  getSession: 'actor',
  deleteEvent: 'actor',
  getEvent: 'actor',
  deleteActorEverywhere: 'actor',
  listEvents: 'actor',
  appendEvents: 'actor',
  buildContext: 'actor',
  searchActorTurns: 'actor',
  searchSessionTurns: 'actor',
  searchMemoryTurns: 'everyone',
  listRecords: 'namespace',
  deleteRecord: 'record',
  deleteRecords: 'everyone',
  listRecordDeletions: 'everyone',
  getRecordDeletion: 'everyone',
  getRecord: 'record',
  correctRecord: 'record',
  explainRecord: 'record',
  reinstateRecord: 'record',
  batchCreateRecords: 'namespaces',
  generateFromContent: 'actor',
  generateFromSession: 'actor',
  insertRecords: 'namespace',
  searchRecords: 'namespace',
  getExtraction: 'none',
  getSessionExtraction: 'actor',
  listParkedWindows: 'everyone',
  replayParkedWindows: 'everyone',
  getMemoryState: 'actor',
  captureMemoryState: 'actor',
  restoreActor: 'actor',
  restoreActorFromBody: 'actor',
  listAgents: 'actor',
  startAgent: 'actor',
  getAgent: 'agent',
  failAgent: 'agent',
  getAgentHistory: 'agent',
  interruptAgent: 'agent',
  getLlmRequest: 'agent',
  appendToAgent: 'agent',
  resetAgent: 'agent',
  stopAgent: 'agent',
  updateAgent: 'agent',
  findAnswerOfActor: 'actor',
  findAnswerOfActorFromBody: 'actor',
  clearSession: 'actor',
  getContext: 'actor',
  findAnswerInSession: 'actor',
  findAnswerInSessionFromBody: 'actor',
  formatContext: 'actor',
  findAnswerInMemory: 'everyone',
  findAnswerInMemoryFromBody: 'everyone',
  exportMemory: 'everyone',
  importMemory: 'everyone',
  callMcp: 'actor',
  putCheckpoint: 'actor',
  putCheckpointWrites: 'actor',
  batchCheckpoints: 'everyone',
  getCheckpoint: 'actor',
  searchCheckpoints: 'actor',
  searchMemoryCheckpoints: 'everyone',
  deleteSessionCheckpoints: 'actor',
  deleteThreadCheckpoints: 'everyone',
  batchGraphStore: 'everyone',
  listWebhookEndpoints: 'operator',
  createWebhookEndpoint: 'operator',
  deleteWebhookEndpoint: 'operator',
  getWebhookEndpoint: 'operator',
  changeWebhookEndpoint: 'operator',
  listWebhookDeliveries: 'operator',
  replayWebhookDelivery: 'operator',
  pauseWebhookEndpoint: 'operator',
  replayWebhookDeliveries: 'operator',
  resumeWebhookEndpoint: 'operator',
  rotateWebhookSecret: 'operator',
  testWebhookEndpoint: 'operator',
  listTenants: 'operator',
  createTenant: 'operator',
  getTenant: 'operator',
  changeTenant: 'operator',
  deleteTenant: 'operator',
  listKeys: 'operator',
  createKey: 'operator',
  revokeKey: 'operator',
  rotateKey: 'operator',
  listAuditLog: 'everyone',
  listParkedWork: 'operator',
  replayParkedWork: 'operator',
  dropParkedWork: 'operator',
  reconcileStream: 'operator',
} as const satisfies Readonly<Record<RouteId, UserData>>;

const TABLE: Readonly<Record<string, UserData | undefined>> = OURS;

/** A route's entry in the table. Unknown routes are treated as `everyone`, which is rejected. */
export const userDataOfOwnRoute = (routeId: string | undefined): UserData => TABLE[routeId ?? ''] ?? 'everyone';

/** Ids of all routes in the table. */
export const OWN_USER_DATA_ROUTES: readonly string[] = Object.keys(TABLE);
