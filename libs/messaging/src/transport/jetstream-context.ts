import { BaseRpcContext } from '@nestjs/microservices';

/** Delivery metadata for handlers, by `@Ctx()`. */
export class JetStreamContext extends BaseRpcContext<[Delivery]> {
  constructor(delivery: Delivery) {
    super([delivery]);
  }

  get delivery(): Delivery {
    return this.getArgByIndex(0);
  }
}

export interface Delivery {
  readonly subject: string;
  /** The trace that the message continues (W3C); empty if none. */
  readonly traceparent: string;
  /** Aborted when the shutdown deadline for handlers has passed. */
  readonly signal: AbortSignal;
}
