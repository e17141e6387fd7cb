import { ResourceNotFoundError, ResourceTemplate, type McpServer, type Variables } from '@modelcontextprotocol/server';
import { routes } from '@turnkeeper/contracts';
import { modelLine, modelRole, writeJson } from '@turnkeeper/domain';
import { dataBlock, encoded } from './encode.js';
import { ApiRefusal, type MemoryApi } from './memory-api.js';
import type { MemoryScope } from './memory-tools.js';

const SESSION = 'turnkeeper://actors/{actorId}/sessions/{sessionId}';
const RECORD = 'turnkeeper://records/{recordId}';
/** Newest events of a session in its resource. */
const MAX_EVENTS = 100;
/** Sessions in the list of resources. */
const MAX_SESSIONS = 100;

const sessionUri = (actorId: string, sessionId: string): string =>
  `turnkeeper://actors/${encodeURIComponent(actorId)}/sessions/${encodeURIComponent(sessionId)}`;

const decoded = (variables: Variables, name: string): string => {
  const value = String(variables[name] ?? '');
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
};

/** Sessions and records as resources. Sessions are listed only for a connection that is limited to one actor. */
export const addResources = (server: McpServer, api: MemoryApi, { memoryId, actorId: only }: MemoryScope): void => {
  const listSessions = async (actorId: string) => {
    const { listData } = await api
      .call(routes.listSessions, { path: { memoryId, actorId }, query: { size: MAX_SESSIONS } })
      .catch(emptyIfUnknown);
    return {
      resources: listData.map(({ sessionId }) => ({
        uri: sessionUri(actorId, sessionId),
        name: encoded(sessionId),
        mimeType: 'text/plain',
      })),
    };
  };
  server.registerResource(
    'session',
    new ResourceTemplate(SESSION, { list: only === undefined ? undefined : () => listSessions(only) }),
    {
      title: 'Conversation',
      description: `The newest ${MAX_EVENTS} turns of a conversation, oldest first.`,
      mimeType: 'text/plain',
    },
    async (uri, variables) => {
      const actorId = decoded(variables, 'actorId');
      if (only !== undefined && actorId !== only) throw new ResourceNotFoundError(uri.href);
      const path = { memoryId, actorId, sessionId: decoded(variables, 'sessionId') };
      const { listData } = await api
        .call(routes.listEvents, { path, query: { size: MAX_EVENTS, order: 'desc' } })
        .catch(notFound(uri));
      const lines = listData
        .reverse()
        .map(({ payload }) => `${modelRole(payload.role ?? payload.type)}: ${modelLine(payload.message ?? '')}`);
      return { contents: [{ uri: uri.href, mimeType: 'text/plain', text: dataBlock(lines) }] };
    },
  );
  server.registerResource(
    'record',
    new ResourceTemplate(RECORD, { list: undefined }),
    { title: 'Record', description: 'A remembered fact with its sources, as JSON.', mimeType: 'application/json' },
    async (uri, variables) => {
      const path = { memoryId, recordId: decoded(variables, 'recordId') };
      const record = await api.call(routes.getRecord, { path }).catch(notFound(uri));
      return {
        contents: [{ uri: uri.href, mimeType: 'application/json', text: writeJson(encoded(record)) }],
      };
    },
  );
};

const notFound =
  (uri: URL) =>
  (error: unknown): never => {
    if (error instanceof ApiRefusal && error.status === 404) throw new ResourceNotFoundError(uri.href);
    throw error;
  };

/** An actor without sessions is unknown to the API. */
const emptyIfUnknown = (error: unknown): { readonly listData: readonly { readonly sessionId: string }[] } => {
  if (error instanceof ApiRefusal && error.status === 404) return { listData: [] };
  throw error;
};
