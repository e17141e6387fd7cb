import { Agent, createServer, request, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isReady } from './service.js';

const POLL_MS = 200;

interface Backend {
  readonly url: URL;
  readonly agent: Agent;
  ready: boolean;
}

/**
 * A typical load balancer: polls every backend's `/readyz` five times a second, distributes requests round-robin over
 * keep-alive connections to the backends whose last answer was 200, and never retries a request.
 */
export class Balancer {
  private readonly backends: Backend[] = [];
  private readonly server: Server;
  private turn = 0;
  private timer: NodeJS.Timeout | null = null;

  private constructor() {
    this.server = createServer((incoming, answer) => {
      const backend = this.next();
      if (backend === undefined) {
        answer.writeHead(502).end('no backend');
        return;
      }
      const { hostname, port } = backend.url;
      const { method, url: path, headers } = incoming;
      const onward = request(
        { hostname, port, method, path, headers: { ...headers, connection: 'keep-alive' }, agent: backend.agent },
        (response: IncomingMessage) => {
          answer.writeHead(response.statusCode ?? 502, { 'content-type': response.headers['content-type'] ?? '' });
          response.pipe(answer);
        },
      );
      onward.on(
        'error',
        (error) => answer.headersSent || answer.writeHead(502).end(`${backend.url.port}: ${error.message}`),
      );
      incoming.pipe(onward);
    });
  }

  static async start(): Promise<Balancer> {
    const balancer = new Balancer();
    balancer.server.listen(0, '127.0.0.1');
    await once(balancer.server, 'listening');
    balancer.timer = setInterval(() => void balancer.poll(), POLL_MS);
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  add(url: string): void {
    this.backends.push({ url: new URL(url), agent: new Agent({ keepAlive: true }), ready: false });
  }

  /** Whether this backend currently gets requests. */
  uses(url: string): boolean {
    return this.backends.some((backend) => backend.ready && backend.url.host === new URL(url).host);
  }

  async close(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    for (const { agent } of this.backends) agent.destroy();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private next(): Backend | undefined {
    const ready = this.backends.filter((backend) => backend.ready);
    this.turn += 1;
    return ready[this.turn % ready.length];
  }

  private async poll(): Promise<void> {
    await Promise.all(
      this.backends.map(async (backend) => {
        backend.ready = await isReady(backend.url.origin);
      }),
    );
  }
}
