import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  getCheckpointId,
  maxChannelVersion,
  TASKS,
  WRITES_IDX_MAP,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type PendingWrite,
  type SerializerProtocol,
} from '@langchain/langgraph-checkpoint';
import { isTurnkeeperError, type components, type operations, type Turnkeeper } from '@turnkeeper/client';
import { fromBase64, toBase64 } from './base64.js';
import { CheckpointWriter } from './checkpoint-writer.js';
import {
  clientOf,
  REPEATABLE,
  withRuntimeHeaders,
  type SessionCall,
  type SessionPath,
  type TurnkeeperOptions,
} from './client.js';

export interface SaverOptions extends TurnkeeperOptions {
  /**
   * Actor of threads whose configuration has no `actor_id`. Default: none; then a thread that exists belongs to the only
   * actor who has it, and anything else is an error.
   */
  readonly actorId?: string;
  /**
   * Sends the two headers of AgentBase's runtime, with the actor and the thread of each request: for servers that require
   * them. Threads then share no requests.
   */
  readonly runtimeHeaders?: boolean;
  /** Default: LangGraph's own serializer. */
  readonly serde?: SerializerProtocol;
}

type StoredCheckpoint = components['schemas']['GraphCheckpoint'];
type StoredValue = StoredCheckpoint['checkpoint'];

const MEMORY = '/v1/memories/{memoryId}';
const SESSION = `${MEMORY}/actors/{actorId}/sessions/{sessionId}` as const;
type SearchBody = NonNullable<operations['searchCheckpoints']['requestBody']>['content']['application/json'];

/** Type of a channel without a value; no serializer uses it. */
const EMPTY = 'empty';
/** Tuples per request of a list. */
const PAGE = 20;
/** Versions of checkpoints that kept pending sends among the parent's writes. */
const FIRST_WITHOUT_PENDING_SENDS = 4;

/**
 * Keeps the checkpoints of LangGraph.js in Turnkeeper. A thread is a session (`thread_id`) of an actor (`actor_id` in
 * the configuration): it expires with the memory's events, and erasing the session or the actor erases it.
 */
export class TurnkeeperSaver extends BaseCheckpointSaver {
  private readonly client: Turnkeeper;
  private readonly writer: CheckpointWriter;
  private readonly callOf: SessionCall;

  constructor(private readonly options: SaverOptions) {
    super(options.serde);
    const { memoryId, runtimeHeaders = false } = options;
    this.client = clientOf(options);
    this.callOf = runtimeHeaders ? withRuntimeHeaders : () => REPEATABLE;
    this.writer = new CheckpointWriter(this.client, memoryId, this.callOf, !runtimeHeaders);
  }

  /**
   * The next whole number and a random fraction: two forks of a thread may write different values in what would be the
   * same version, and a stored version never changes.
   */
  override getNextVersion(current: number | undefined): number {
    return Math.floor(current ?? 0) + 1 + Math.random();
  }

  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { sessionId, namespace } = placeOf(config);
    if (sessionId === undefined) return undefined;
    const checkpointId = getCheckpointId(config);
    const query = { namespace, ...(checkpointId === '' ? {} : { checkpointId }) };
    try {
      const path = await this.sessionPath(config, sessionId);
      const call = this.callOf(path);
      return await this.tupleOf(
        await this.client.request('get', `${SESSION}/checkpoint`, { path, query }, call),
        config,
      );
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { before, filter, limit = Number.POSITIVE_INFINITY } = options;
    const thread = config.configurable?.['thread_id'] as string | undefined;
    const ns = config.configurable?.['checkpoint_ns'] as string | undefined;
    const actorId = this.actorOf(config);
    const checkpointId = getCheckpointId(config);
    const earlier = before === undefined ? '' : getCheckpointId(before);
    const path = thread === undefined ? undefined : await this.pathOfExisting(config, thread);
    let left = path === null ? 0 : limit;
    let after: string | null | undefined;
    while (left > 0 && after !== null) {
      const body = {
        ...(thread !== undefined || actorId === undefined ? {} : { actorId }),
        ...(ns === undefined ? {} : { namespace: ns }),
        ...(checkpointId === '' ? {} : { checkpointId }),
        ...(earlier === '' ? {} : { before: earlier }),
        ...(filter === undefined ? {} : { filter: scalarsOf(filter) }),
        limit: hasOnlyScalars(filter) ? Math.min(left, PAGE) : PAGE,
        ...(after === undefined ? {} : { after }),
      };
      const page = await this.search(path ?? undefined, body);
      for (const stored of page.items) {
        const tuple = await this.tupleOf(stored, config);
        if (!hasAll(tuple.metadata, filter)) continue;
        if ((left -= 1) < 0) return;
        yield tuple;
      }
      after = page.next;
    }
  }

  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const { sessionId, namespace } = placeOf(config);
    if (sessionId === undefined) throw missing('checkpoint', 'thread_id');
    const { channel_values: values, ...rest } = checkpoint;
    const [own, described, channels] = await Promise.all([
      this.serialized(rest),
      this.serialized(metadata),
      Promise.all(
        Object.entries(newVersions).map(async ([channel, version]) => ({
          channel,
          version,
          ...(Object.hasOwn(values, channel) && values[channel] !== undefined
            ? await this.serialized(values[channel])
            : { type: EMPTY, data: '' }),
        })),
      ),
    ]);
    const parentId = config.configurable?.['checkpoint_id'] as string | undefined;
    const body = {
      namespace,
      checkpointId: checkpoint.id,
      parentId: parentId ?? null,
      checkpoint: own,
      metadata: described,
      labels: scalarsOf(metadata),
      channelVersions: checkpoint.channel_versions,
      channels,
    };
    const path = await this.sessionPath(config, sessionId);
    await this.writer.write({ op: 'put', path, body });
    return { configurable: this.configurableOf(config, path, namespace, checkpoint.id) };
  }

  async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string, taskPath = ''): Promise<void> {
    const { sessionId, namespace } = placeOf(config);
    const checkpointId = config.configurable?.['checkpoint_id'] as string | undefined;
    if (sessionId === undefined) throw missing('writes', 'thread_id');
    if (checkpointId === undefined) throw missing('writes', 'checkpoint_id');
    const stored = await Promise.all(
      writes.map(async ([channel, value], at) => ({
        index: WRITES_IDX_MAP[channel] ?? at,
        channel,
        ...(await this.serialized(value)),
      })),
    );
    const body = {
      namespace,
      checkpointId,
      taskId,
      taskPath,
      writes: stored,
      overwrite: writes.every(([channel]) => channel in WRITES_IDX_MAP),
    };
    const path = await this.sessionPath(config, sessionId);
    await this.writer.write({ op: 'put-writes', path, body });
  }

  /** Deletes the thread of the actor that this saver was made for; if it was made for none, of the only actor who has it. */
  async deleteThread(threadId: string): Promise<void> {
    const { actorId, memoryId } = this.options;
    if (actorId === undefined) {
      const input = { path: { memoryId }, query: { sessionId: threadId } };
      await this.client.request('delete', `${MEMORY}/checkpoints`, input, REPEATABLE);
    } else {
      const path = { memoryId, actorId, sessionId: threadId };
      await this.client.request('delete', `${SESSION}/checkpoints`, { path }, this.callOf(path));
    }
  }

  private search(path: SessionPath | undefined, body: SearchBody) {
    const { memoryId } = this.options;
    return path === undefined
      ? this.client.request('post', `${MEMORY}/checkpoints:search`, { path: { memoryId }, body }, REPEATABLE)
      : this.client.request('post', `${SESSION}/checkpoints:search`, { path, body }, this.callOf(path));
  }

  private actorOf(config: RunnableConfig): string | undefined {
    return (config.configurable?.['actor_id'] as string | undefined) ?? this.options.actorId;
  }

  /**
   * LangGraph reads and edits the state of a subgraph without `actor_id`, so the server is asked for the thread's actor.
   * Rejects with `thread.actor_unknown` or `thread.actor_ambiguous`.
   */
  private async sessionPath(config: RunnableConfig, sessionId: string): Promise<SessionPath> {
    const { memoryId } = this.options;
    const known = this.actorOf(config);
    if (known !== undefined) return { memoryId, actorId: known, sessionId };
    const input = { path: { memoryId }, query: { sessionId } };
    const { actorId } = await this.client.request('get', `${MEMORY}/checkpoints:actor`, input, REPEATABLE);
    return { memoryId, actorId, sessionId };
  }

  private async pathOfExisting(config: RunnableConfig, sessionId: string): Promise<SessionPath | null> {
    try {
      return await this.sessionPath(config, sessionId);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  private configurableOf(
    config: RunnableConfig,
    thread: { readonly actorId: string; readonly sessionId: string },
    namespace: string,
    checkpointId: string,
  ) {
    const given = config.configurable?.['actor_id'] as string | undefined;
    const actorId = given ?? (this.options.actorId === undefined ? thread.actorId : undefined);
    return {
      thread_id: thread.sessionId,
      checkpoint_ns: namespace,
      checkpoint_id: checkpointId,
      ...(actorId === undefined ? {} : { actor_id: actorId }),
    };
  }

  private async tupleOf(stored: StoredCheckpoint, config: RunnableConfig): Promise<CheckpointTuple> {
    const { namespace, checkpointId, parentId } = stored;
    const [checkpoint, metadata, values, pendingWrites] = await Promise.all([
      this.deserialized(stored.checkpoint) as Promise<Omit<Checkpoint, 'channel_values'>>,
      this.deserialized(stored.metadata) as Promise<CheckpointMetadata>,
      Promise.all(
        stored.channels
          .filter(({ type }) => type !== EMPTY)
          .map(async (value) => [value.channel, await this.deserialized(value)] as const),
      ),
      Promise.all(
        stored.writes.map(async (write): Promise<[string, string, unknown]> => [
          write.taskId,
          write.channel,
          await this.deserialized(write),
        ]),
      ),
    ]);
    const configOf = (id: string): RunnableConfig => ({
      configurable: this.configurableOf(config, stored, namespace, id),
    });
    const whole: Checkpoint = { ...checkpoint, channel_values: Object.fromEntries(values) };
    if (whole.v < FIRST_WITHOUT_PENDING_SENDS && parentId !== null) {
      await this.addPendingSends(whole, configOf(parentId));
    }
    return {
      config: configOf(checkpointId),
      checkpoint: whole,
      metadata,
      pendingWrites,
      ...(parentId === null ? {} : { parentConfig: configOf(parentId) }),
    };
  }

  /** Old checkpoints expect the sends of their parent in a channel. */
  private async addPendingSends(checkpoint: Checkpoint, parent: RunnableConfig): Promise<void> {
    const sent = (await this.getTuple(parent))?.pendingWrites ?? [];
    checkpoint.channel_values[TASKS] = sent.filter(([, channel]) => channel === TASKS).map(([, , value]) => value);
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }

  private async serialized(value: unknown): Promise<StoredValue> {
    const [type, bytes] = await this.serde.dumpsTyped(value);
    return { type, data: toBase64(bytes) };
  }

  private deserialized({ type, data }: StoredValue): Promise<unknown> {
    return this.serde.loadsTyped(type, fromBase64(data));
  }
}

const placeOf = ({ configurable = {} }: RunnableConfig) => ({
  sessionId: configurable['thread_id'] as string | undefined,
  namespace: (configurable['checkpoint_ns'] as string | undefined) ?? '',
});

const isMissing = (error: unknown): boolean =>
  isTurnkeeperError(error, 'checkpoint.not_found') || isTurnkeeperError(error, 'thread.actor_unknown');

const missing = (what: string, field: string): Error =>
  new Error(`Failed to put ${what}: "${field}" is missing in the "configurable" property of the RunnableConfig.`);

/** Members that a filter can compare. NUL characters are left out, because the server refuses them. */
const scalarsOf = (value: object): Record<string, Scalar> => {
  const scalars: Record<string, Scalar> = {};
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    if (typeof inner === 'string') {
      if (inner.length <= MAX_LABEL) scalars[key] = inner.replaceAll('\0', '').toWellFormed();
    } else if (inner === null || typeof inner === 'number' || typeof inner === 'boolean') scalars[key] = inner;
  }
  return scalars;
};
type Scalar = string | number | boolean | null;

/** Filters by objects and long texts are applied here, because the server compares labels only. */
const hasAll = (metadata: CheckpointMetadata | undefined, filter: Readonly<Record<string, unknown>> = {}): boolean => {
  const labels = scalarsOf(filter);
  return Object.entries(filter).every(
    ([key, value]) =>
      value === undefined ||
      Object.hasOwn(labels, key) ||
      JSON.stringify((metadata as Readonly<Record<string, unknown>> | undefined)?.[key]) === JSON.stringify(value),
  );
};
const hasOnlyScalars = (filter: Readonly<Record<string, unknown>> = {}): boolean =>
  Object.keys(scalarsOf(filter)).length === Object.keys(filter).length;
/** The server's limit for a label, in characters. */
const MAX_LABEL = 4_096;
