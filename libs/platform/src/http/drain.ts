import type { FastifyInstance } from 'fastify';
import type { Shutdown } from '../shutdown.js';

/** Maximum share of the shutdown's work time for a drain. The rest is for requests still running when it ends. */
const LARGEST_SHARE = 0.6;

/**
 * Lets a load balancer take this server out of rotation before it stops listening. After the signal, `/readyz` answers
 * 503 while all requests are still served on old and new connections. Clients with keep-alive connections are told to
 * close them, so that they reconnect through the balancer.
 */
export class Drain {
  private stopping = false;

  /** @param drainMs time for a balancer to notice; capped at 60 % of the shutdown's work time */
  constructor(
    server: FastifyInstance,
    private readonly drainMs: number,
  ) {
    server.addHook('onRequest', (_request, reply, done) => {
      if (this.stopping) void reply.header('connection', 'close');
      done();
    });
  }

  /** True after the signal: the server must not get new traffic. */
  get isStopping(): boolean {
    return this.stopping;
  }

  /** SIGINT skips the drain: it comes from a person, for a process behind no balancer. */
  async run({ signal, workLeftMs }: Shutdown): Promise<void> {
    this.stopping = true;
    const ms = signal === 'SIGINT' ? 0 : Math.min(this.drainMs, workLeftMs() * LARGEST_SHARE);
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  }
}
