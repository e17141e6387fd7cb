import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type McpServer,
} from '@modelcontextprotocol/server';

/** The authenticated caller, for scope challenges. */
export interface McpCaller {
  readonly keyId: string;
  readonly scopes: readonly string[];
  readonly resource: URL;
}

/**
 * Answers one message of the Streamable HTTP transport, without a session. The response is one JSON body, or events if
 * a tool reports its progress, and ends with the result; subscriptions are refused. Serves the revision 2026-07-28 and
 * its predecessors.
 *
 * @param request without a body
 * @param message the parsed body
 * @param createServer called for every message; must return a new server
 */
export const answerMcpRequest = async (
  request: Request,
  message: unknown,
  caller: McpCaller,
  createServer: () => McpServer,
): Promise<Response> => {
  const authInfo: AuthInfo = {
    token: '',
    clientId: caller.keyId,
    scopes: [...caller.scopes],
    resource: caller.resource,
  };
  if (await isLegacyRequest(request, message)) return answerLegacy(request, message, authInfo, createServer());
  const handler = createMcpHandler(createServer, { legacy: 'reject', maxSubscriptions: 1 });
  const response = await handler.fetch(request, { authInfo, parsedBody: message });
  // The handler serves this message alone.
  if (isStream(response) && isSubscription(message)) {
    await handler.close();
    return Response.json({ jsonrpc: '2.0', id: idOf(message), error: NO_STREAMS }, { status: 400 });
  }
  return response;
};

const NO_STREAMS = { code: -32_601, message: 'This server sends no notifications, so it takes no subscriptions.' };

const answerLegacy = async (
  request: Request,
  message: unknown,
  authInfo: AuthInfo,
  server: McpServer,
): Promise<Response> => {
  // No session id generator: stateless.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { authInfo, parsedBody: message });
  } finally {
    await server.close();
  }
};

const isStream = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') === true;

const isSubscription = (message: unknown): boolean =>
  (message as { method?: unknown } | null)?.method === 'subscriptions/listen';

const idOf = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'id' in message ? message.id : null;
