import { Controller, HttpCode, Inject } from '@nestjs/common';
import type { StreamReconciler } from '@turnkeeper/application';
import { routes } from '@turnkeeper/contracts';
import { Route } from '../http/route.js';
import { STREAM_RECONCILER } from '../tokens.js';

const { reconcileStream } = routes;

/** JetStream's copy of the log. */
@Controller()
export class StreamController {
  constructor(@Inject(STREAM_RECONCILER) private readonly reconciler: StreamReconciler) {}

  @Route(reconcileStream)
  @HttpCode(200)
  async reconcile() {
    return { ...(await this.reconciler.reconcile()) };
  }
}
