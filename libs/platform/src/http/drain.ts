import type { FastifyInstance } from 'fastify';
import type { Shutdown } from '../shutdown.js';

/** Most of the time for work that a drain may take; the rest is for requests that still run when it ends. */
const LARGEST_SHARE = 0.6;

/**
 * Lets a load balancer take this server out of its rotation before it stops listening. From the signal on `/readyz`
 * answers 503, while every request is still served, on connections old and new. Clients that keep their connection are
 * told to close it, so that they come back through the balancer.
 */
export class Drain {
  private stopping = false;

  /** @param drainMs how long a balancer may take to notice; cut to 60 % of the shutdown's time for work */
  constructor(
    server: FastifyInstance,
    private readonly drainMs: number,
  ) {
    server.addHook('onRequest', (_request, reply, done) => {
      if (this.stopping) void reply.header('connection', 'close');
      done();
    });
  }

  /** From the signal on: the server must not get new traffic. */
  get isStopping(): boolean {
    return this.stopping;
  }

  /** SIGINT does not wait: a person stops a process that no balancer knows. */
  async run({ signal, workLeftMs }: Shutdown): Promise<void> {
    this.stopping = true;
    const ms = signal === 'SIGINT' ? 0 : Math.min(this.drainMs, workLeftMs() * LARGEST_SHARE);
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  }
}
