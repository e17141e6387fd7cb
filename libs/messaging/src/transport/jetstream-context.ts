import { BaseRpcContext } from '@nestjs/microservices';

/** What a handler can ask about its message, by `@Ctx()`. */
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
  /** Place in the stream. Starts again from 1 when the stream was wiped. */
  readonly streamSequence: number;
  /** 1 for the first time. */
  readonly attempt: number;
  /** Aborted when the process shuts down and the deadline for handlers has passed. */
  readonly signal: AbortSignal;
}
