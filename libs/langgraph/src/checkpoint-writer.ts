import { isTurnkeeperError, type operations, type Turnkeeper } from '@turnkeeper/client';
import { REPEATABLE, type SessionCall, type SessionPath } from './client.js';

type BodyOf<Id extends 'putCheckpoint' | 'putCheckpointWrites'> = NonNullable<
  operations[Id]['requestBody']
>['content']['application/json'];
type BatchOperation =
  operations['batchCheckpoints']['requestBody']['content']['application/json']['operations'][number];

export type CheckpointWrite = { readonly path: SessionPath } & (
  | { readonly op: 'put'; readonly body: BodyOf<'putCheckpoint'> }
  | { readonly op: 'put-writes'; readonly body: BodyOf<'putCheckpointWrites'> }
);

interface Waiting {
  readonly write: CheckpointWrite;
  readonly size: number;
  resolve(): void;
  reject(error: unknown): void;
}

/** A request that takes longer than this many milliseconds no longer counts: others do not wait for it. */
const SLOW_MS = 50;
/** Requests in flight before writes wait, so that client, server and database work at the same time. */
const IN_FLIGHT = 3;
const MAX_IN_BATCH = 32;
/** Characters of values in a batch, below the server's default limit of a body. */
const MAX_CHARACTERS = 524_288;

const SESSION = '/v1/memories/{memoryId}/actors/{actorId}/sessions/{sessionId}';

/**
 * Sends checkpoints and writes of all threads of a saver. While three requests are in flight, further writes wait
 * and then share the next one, so that many threads at once cost little more than one. A single write is sent at once.
 */
export class CheckpointWriter {
  private readonly waiting: Waiting[] = [];
  /** Requests that others wait for; none that is slow. */
  private inFlight = 0;
  private scheduled = false;

  /**
   * @param mayBatch false once the server has refused the route: a key of one actor does not reach it, nor is it in older
   *   servers
   */
  constructor(
    private readonly client: Turnkeeper,
    private readonly memoryId: string,
    private readonly callOf: SessionCall = () => REPEATABLE,
    private mayBatch = true,
  ) {}

  /** Resolves when it is committed. */
  write(write: CheckpointWrite): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ write, size: sizeOf(write), resolve, reject });
      this.sendSoon();
    });
  }

  /** After what is running, because threads that wait for one response continue together. */
  private sendSoon(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    afterThisTurn(() => {
      this.scheduled = false;
      this.send();
    });
  }

  private send(): void {
    while (this.waiting.length > 0 && (this.inFlight < IN_FLIGHT || !this.mayBatch)) {
      const batch = this.mayBatch ? takeBatch(this.waiting) : this.waiting.splice(0, 1);
      const release = this.occupy();
      void this.settle(batch).finally(release);
    }
  }

  /** Lets further writes wait until the request has ended or is slow. Returns what ends it. */
  private occupy(): () => void {
    let isOver = false;
    const release = (): void => {
      clearTimeout(timer);
      if (isOver) return;
      isOver = true;
      this.inFlight -= 1;
      this.sendSoon();
    };
    this.inFlight += 1;
    const timer = setTimeout(release, SLOW_MS);
    return release;
  }

  /** Settles every write of the batch; never rejects. */
  private async settle(batch: readonly Waiting[]): Promise<void> {
    const [first] = batch;
    if (batch.length === 1 && first !== undefined) {
      return this.sendOne(first.write).then(first.resolve, first.reject);
    }
    try {
      const operations = batch.map(({ write: { op, path, body } }) => {
        const { actorId, sessionId } = path;
        return { ...body, op, actorId, sessionId } as BatchOperation;
      });
      const input = { path: { memoryId: this.memoryId }, body: { operations } };
      await this.client.request('post', '/v1/memories/{memoryId}/checkpoints:batch', input, REPEATABLE);
      for (const { resolve } of batch) resolve();
    } catch (error) {
      if (!isTurnkeeperError(error) || error.status >= 500 || error.status === 429) {
        for (const { reject } of batch) reject(error);
        return;
      }
      // The fault of one write must not fail the others.
      if (error.status === 403 || error.status === 404) this.mayBatch = false;
      await Promise.all(batch.map(({ write, resolve, reject }) => this.sendOne(write).then(resolve, reject)));
    }
  }

  private async sendOne({ op, path, body }: CheckpointWrite): Promise<void> {
    if (op === 'put') await this.client.request('post', `${SESSION}/checkpoints`, { path, body }, this.callOf(path));
    else await this.client.request('post', `${SESSION}/checkpoints:put-writes`, { path, body }, this.callOf(path));
  }
}

/** Browsers have no `setImmediate`. */
const afterThisTurn: (work: () => void) => void =
  typeof setImmediate === 'function' ? (work) => void setImmediate(work) : (work) => void setTimeout(work, 0);

/** At least one write. */
const takeBatch = (waiting: Waiting[]): Waiting[] => {
  let taken = 0;
  let size = 0;
  for (const { size: more } of waiting) {
    if (taken > 0 && (taken === MAX_IN_BATCH || size + more > MAX_CHARACTERS)) break;
    taken += 1;
    size += more;
  }
  return waiting.splice(0, taken);
};

const sizeOf = (write: CheckpointWrite): number => {
  const values =
    write.op === 'put'
      ? [write.body.checkpoint, write.body.metadata, ...(write.body.channels ?? [])]
      : (write.body.writes ?? []);
  return values.reduce((sum, { data }) => sum + data.length, 0);
};
