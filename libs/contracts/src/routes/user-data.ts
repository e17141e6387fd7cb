import { AGORA_ROUTES } from '../vendors/agora-routes.js';
import type { routes } from './index.js';

/**
 * Whose data a route reaches, and where a request says so. It decides what is asked of a request that speaks for one end
 * user, by the runtime's headers or by a key of one actor:
 *
 * - `none`: no user's data
 * - `actor`: `actorId` in the path, the query or the body, which must be that user
 * - `namespace`: a namespace in the query, which must be that user's
 * - `namespaces`: the same for every record in the body
 * - `record`: a record by its id, whose namespace must be that user's
 * - `agent`: an agent by its id, which must speak with that user
 * - `everyone`: many users' data; refused
 * - `operator`: the same, behind a scope that no runtime has
 */
export type UserData = 'none' | 'actor' | 'namespace' | 'namespaces' | 'record' | 'agent' | 'everyone' | 'operator';

type RouteId = Exclude<keyof typeof routes, 'getWholeHistory' | 'receiveAgoraNotice' | 'receiveZegoCallback'>;

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
  getUsage: 'none',
  getLimits: 'none',
  listActors: 'everyone',
  deleteActor: 'actor',
  getActor: 'actor',
  listSessions: 'actor',
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
  clearSession: 'actor',
  getContext: 'actor',
  findAnswerInSession: 'actor',
  formatContext: 'actor',
  findAnswerInMemory: 'everyone',
  exportMemory: 'everyone',
  importMemory: 'everyone',
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
  listConnectors: 'operator',
  createConnector: 'operator',
  deleteConnector: 'operator',
  getConnector: 'operator',
  changeConnector: 'operator',
  mapConnectorInstance: 'operator',
  listConnectorNotices: 'operator',
  retryConnectorNotices: 'operator',
  rotateConnectorSecret: 'operator',
  listVendorApps: 'operator',
  deleteVendorApp: 'operator',
  putVendorApp: 'operator',
  listTenants: 'operator',
  createTenant: 'operator',
  getTenant: 'operator',
  changeTenant: 'operator',
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

const AGORAS: Readonly<Record<string, UserData>> = Object.fromEntries(
  AGORA_ROUTES.map(({ id, path }) => [id, path.includes('{agentId}') ? 'agent' : 'everyone']),
);

const TABLE: Readonly<Record<string, UserData | undefined>> = { ...OURS, ...AGORAS };

/** What the table says of a route; `everyone`, which is refused, of one that it does not know. */
export const userDataOf = (routeId: string | undefined): UserData => TABLE[routeId ?? ''] ?? 'everyone';

/** Every route that is in the table. */
export const USER_DATA_ROUTES: readonly string[] = Object.keys(TABLE);
