import { connect, type AddressInfo, type Socket } from 'node:net';
import type { RouteSpec } from '@turnkeeper/contracts';
import { loadSettings } from '@turnkeeper/platform';
import { fastify, type FastifyInstance } from 'fastify';
import { expect, vi } from 'vitest';
import { MissingScope, Unauthenticated } from '../auth/auth-errors.js';
import type { Admission, Admitted } from '../edge/admit-on-headers.js';
import { BodyBudget } from '../edge/body-budget.js';
import { edgeOptions, registerEdge } from '../edge/register-edge.js';
import { problemOf } from '../http/problem.js';
import { answerProblem } from '../http/problem.filter.js';

export const MIB = 1_048_576;
/** Admits the caller named by the Authorization header; `later` resolves after a look-up, like an uncached key. */
const admission = {
  admit: (request: Admitted & { headers: { authorization?: string } }): void | Promise<void> => {
    const { authorization: tenantId } = request.headers;
    if (tenantId === undefined) throw new Unauthenticated();
    if (tenantId === 'later') return Promise.reject(new MissingScope('memory:write'));
    request.tenantId = tenantId;
    return undefined;
  },
  rateOf: () => null,
  noteBytes: () => undefined,
} as unknown as Admission;

const spec = (scope: RouteSpec['scope'], more: object = {}) => ({ config: { spec: { scope, ...more } } });

/** A connection that sends what it is given and stores the response. */
export class Client {
  received = '';
  closed = false;
  constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (this.received += text));
    socket.on('close', () => (this.closed = true));
    socket.on('error', () => undefined);
  }
  send(text: string): this {
    this.socket.write(text);
    return this;
  }
  sendBytes(bytes: Buffer): this {
    this.socket.write(bytes);
    return this;
  }
  end(): void {
    this.socket.destroy();
  }
  get status(): number {
    return Number(this.received.slice(9, 12));
  }
  get problem(): { readonly code?: string } {
    return JSON.parse(this.received.slice(this.received.indexOf('\r\n\r\n') + 4)) as { code?: string };
  }
  async answered(): Promise<this> {
    await vi.waitFor(() => expect(this.received).toContain('\r\n\r\n'), { timeout: 10_000, interval: 5 });
    return this;
  }
  async isClosed(): Promise<void> {
    await vi.waitFor(() => expect(this.closed).toBe(true), { timeout: 10_000, interval: 5 });
  }
}

/** A server with the edge and two routes: `/keyed` needs a key, `/callback` accepts 1,000 bytes without one. */
export class EdgeServer {
  server!: FastifyInstance;
  /** Requests that reached a handler. */
  bodies = 0;
  /** Statuses of the errors that reached the error handler. */
  readonly failures: number[] = [];
  answer: () => Promise<void> = () => Promise.resolve();
  private readonly clients: Client[] = [];

  readonly serve = async (changes: Partial<ReturnType<typeof loadSettings>> = {}): Promise<void> => {
    const settings = { ...loadSettings({ DATABASE_URL: 'postgres://unused' }), ...changes };
    this.server = fastify({ ...edgeOptions(settings), forceCloseConnections: true });
    this.failures.length = 0;
    this.server.setErrorHandler((error, request, reply) => {
      this.failures.push(problemOf(error).status);
      answerProblem(error, request, reply);
    });
    const budget = new BodyBudget(settings.MAX_BODY_BYTES_IN_FLIGHT, settings.TENANT_MAX_BODY_BYTES_IN_FLIGHT);
    registerEdge(this.server, settings, admission, budget);
    const handler = async (): Promise<object> => {
      this.bodies += 1;
      await this.answer();
      return { done: true };
    };
    this.server.post('/keyed', spec('memory:write'), handler);
    this.server.post('/callback', spec(null, { bodyBytes: 1_000, rawBody: true }), handler);
    await this.server.listen({ host: '127.0.0.1', port: 0 });
    this.bodies = 0;
    this.answer = () => Promise.resolve();
  };

  readonly open = (): Client => {
    const client = new Client(connect((this.server.server.address() as AddressInfo).port, '127.0.0.1'));
    this.clients.push(client);
    return client;
  };

  readonly head = (path: string, length: number, tenant?: string): string =>
    [
      `POST ${path} HTTP/1.1`,
      'Host: x',
      'Content-Type: application/json',
      `Content-Length: ${length}`,
      ...(tenant === undefined ? [] : [`Authorization: ${tenant}`]),
      '\r\n',
    ].join('\r\n');

  readonly post = async (body: string, path = '/keyed', tenant = 'a'): Promise<Client> =>
    this.open()
      .send(this.head(path, Buffer.byteLength(body), tenant))
      .send(body)
      .answered();

  readonly close = async (): Promise<void> => {
    for (const client of this.clients.splice(0)) client.end();
    await this.server.close();
  };
}
