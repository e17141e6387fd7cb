import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { requireMemory } from '@turnkeeper/application';
import {
  PATH_PARAMETERS,
  routes,
  scopesAllowedBy,
  scopesEnoughFor,
  type ResourceMetadata,
  type Scope,
} from '@turnkeeper/contracts';
import { MemoryNotFound, parseJson, withLongIntegers, writeJson } from '@turnkeeper/domain';
import { answerMcpRequest, createMemoryServer, type SendRequest } from '@turnkeeper/mcp';
import { RUNTIME_HEADERS } from '@turnkeeper/vendors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MissingScope } from '../auth/auth-errors.js';
import { Public, TakesNoQuery } from '../auth/auth.guard.js';
import type { Admitted } from '../edge/admit-on-headers.js';
import { Input, Route, type CallOf } from '../http/route.js';
import type { Challenged } from './challenge-callers.js';
import { APP, type App } from '../composition.js';

const VERSION = '0.1.0';
/** Headers of the caller that the API's own routes read. */
const FORWARDED = ['authorization', ...Object.values(RUNTIME_HEADERS).map((name) => name.toLowerCase()), 'user-agent'];
/** Every response is one JSON body, regardless of what else the client accepts. */
const ACCEPT = 'application/json, text/event-stream';

/**
 * The MCP server of each memory (Streamable HTTP, without sessions). Tools and resources call the API's own routes in
 * this process with the caller's credential, so they are admitted, limited and audited as such.
 */
@Controller()
export class McpController {
  constructor(
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    @Inject(APP) private readonly app: Pick<App, 'mcpGate' | 'memories'>,
  ) {}

  @Route(routes.callMcp)
  async call(
    @Input() { path, query, body }: CallOf<typeof routes.callMcp>,
    @Req() request: FastifyRequest & Admitted,
    @Res() reply: FastifyReply,
  ) {
    this.app.mcpGate.check(request.headers);
    const { keyId = '', scopes = [] } = request.caller ?? {};
    const { memoryId } = path;
    await requireMemory(this.app.memories, request.tenantId ?? '', memoryId);
    const resource = this.app.mcpGate.resourceUrl(memoryId);
    const scope = { memoryId, ...(query.actorId === undefined ? {} : { actorId: query.actorId }) };
    const response = await answerMcpRequest(
      new Request(resource, { method: 'POST', headers: mcpHeadersOf(request) }),
      body,
      { keyId, scopes: scopesAllowedBy(scopes), resource },
      () => createMemoryServer(this.senderFor(request), scope, VERSION),
    );
    const missing = missingScopeOf(response);
    if (missing !== null) {
      (request as Challenged).missingScope = missing;
      throw new MissingScope(missing);
    }
    void reply.code(response.status);
    for (const name of ['content-type', 'www-authenticate']) {
      const value = response.headers.get(name);
      if (value !== null) void reply.header(name, value);
    }
    // The reply is sent here; Nest ignores the returned value.
    return (await reply.send(withLongIntegers(await response.text()))) as never;
  }

  @Get('.well-known/oauth-protected-resource/mcp/:memoryId')
  @Public()
  @TakesNoQuery()
  metadata(@Req() request: FastifyRequest): ResourceMetadata {
    const parsed = PATH_PARAMETERS.memoryId.safeParse((request.params as Record<string, string>)['memoryId']);
    if (!parsed.success) throw new MemoryNotFound();
    return this.app.mcpGate.metadata(parsed.data.toLowerCase());
  }

  private senderFor(request: FastifyRequest): SendRequest {
    const server = this.adapterHost.httpAdapter.getInstance<FastifyInstance>();
    const caller = Object.fromEntries(
      FORWARDED.flatMap((name) => {
        const value = request.headers[name];
        return value === undefined ? [] : [[name, value]];
      }),
    );
    return async ({ method, url, body, headers }) => {
      const response = await server.inject({
        method,
        url,
        remoteAddress: request.ip,
        headers: { ...caller, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { payload: writeJson(body) }),
      });
      return {
        status: response.statusCode,
        body: response.payload === '' ? null : parseJson(response.payload),
      };
    };
  }
}

/**
 * The scope that a tool needs and the caller lacks, as the SDK reports it; null otherwise. The broadest one that is
 * enough: issuers that are set up for MCP clients know it.
 */
const missingScopeOf = ({ status, headers }: Response): Scope | null => {
  const challenge = status === 403 ? headers.get('www-authenticate') : null;
  const needed = (/ scope="([^"]+)"/.exec(challenge ?? '')?.[1] ?? null) as Scope | null;
  return needed && scopesEnoughFor(needed)[0];
};

/** Headers that the transport reads. */
const mcpHeadersOf = ({ headers }: FastifyRequest): Headers => {
  const taken = new Headers({ accept: ACCEPT, 'content-type': 'application/json' });
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith('mcp-') && typeof value === 'string') taken.set(name, value);
  }
  return taken;
};
