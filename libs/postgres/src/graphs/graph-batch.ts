import type { SessionScope } from '@turnkeeper/application';
import type { PutCheckpointBody, PutCheckpointWritesBody } from '@turnkeeper/contracts';
import { plainText, writeJson } from '@turnkeeper/domain';
import type { KeptReach } from '../connections/row-reach.js';

/** One request, and what settles it. */
export interface GraphWrite {
  readonly scope: SessionScope;
  readonly checkpoint?: PutCheckpointBody;
  readonly writes?: PutCheckpointWritesBody;
  readonly bytes: number;
  readonly reach: KeptReach;
  resolve(): void;
  reject(error: unknown): void;
}

const COLUMNS = [
  ...['t_memory', 't_actor', 't_session'],
  ...['c_thread', 'c_ns', 'c_id', 'c_parent', 'c_type', 'c_data', 'c_metadata_type', 'c_metadata', 'c_labels'],
  'c_versions',
  ...['b_thread', 'b_ns', 'b_channel', 'b_version', 'b_type', 'b_data'],
  ...['w_thread', 'w_ns', 'w_id', 'w_path', 'w_task', 'w_index', 'w_channel', 'w_type', 'w_data', 'w_overwrite'],
] as const;
type Column = (typeof COLUMNS)[number];

/**
 * Base64, sent as one text of lines: as an array, both the driver and Postgres would search every character for quotes.
 * An empty line comes first, because Postgres splits an empty text into no lines.
 */
const BASE64: ReadonlySet<string> = new Set<Column>(['c_data', 'c_metadata', 'b_data', 'w_data']);

/** Calls `write_graph_batch` with the tenant and a batch's columns. */
export const WRITE_BATCH = `select write_graph_batch($1${COLUMNS.map((name, at) =>
  BASE64.has(name) ? `, (string_to_array($${at + 2}::text, E'\\n'))[2:]` : `, $${at + 2}`,
).join('')}) as keys`;

/** Collects requests as the columns of one statement. */
export class GraphBatch {
  readonly requests: GraphWrite[] = [];
  bytes = 0;
  private readonly columns = Object.fromEntries(COLUMNS.map((name) => [name, [] as unknown[]])) as Record<
    Column,
    unknown[]
  >;
  private readonly threads = new Map<string, number>();
  private readonly threadOf: number[] = [];
  /** Rows that are written already: one statement cannot write a row twice. */
  private readonly taken = new Set<string>();

  /** @param before batches that are being written */
  constructor(private readonly before: ReadonlySet<GraphBatch> = new Set()) {}

  /**
   * False if the request writes a row that another one of the batch or an earlier batch writes: it belongs in a later
   * batch, because the last request wins.
   */
  add(request: GraphWrite): boolean {
    const { scope, checkpoint, writes } = request;
    const session = JSON.stringify([scope.memoryId, scope.actorId, scope.sessionId]);
    const row = checkpoint === undefined ? '' : rowOf(session, checkpoint, '');
    const task = writes === undefined ? '' : rowOf(session, writes, writes.taskId);
    for (const { taken } of [this, ...this.before]) if (taken.has(row) || taken.has(task)) return false;
    const thread = this.threadFor(session, scope);
    if (checkpoint !== undefined) {
      this.taken.add(row);
      this.addCheckpoint(thread, checkpoint);
    }
    if (writes !== undefined) {
      this.taken.add(task);
      this.addWrites(thread, writes);
    }
    this.requests.push(request);
    this.threadOf.push(thread);
    this.bytes += request.bytes;
    return true;
  }

  get values(): unknown[] {
    return COLUMNS.map((name) => (BASE64.has(name) ? linesOf(this.columns[name]) : this.columns[name]));
  }

  /** Whether the thread of this request could be written, by the keys that the statement returned. */
  wasWritten(index: number, keys: readonly (string | number)[]): boolean {
    return Number(keys[(this.threadOf[index] ?? 0) - 1]) > 0;
  }

  private threadFor(session: string, { memoryId, actorId, sessionId }: SessionScope): number {
    const known = this.threads.get(session);
    if (known !== undefined) return known;
    const { columns } = this;
    columns.t_memory.push(memoryId);
    columns.t_actor.push(actorId);
    columns.t_session.push(sessionId);
    this.threads.set(session, this.threads.size + 1);
    return this.threads.size;
  }

  private addCheckpoint(thread: number, put: PutCheckpointBody): void {
    const { columns } = this;
    const { namespace, checkpointId, parentId, checkpoint, metadata, labels, channelVersions, channels } = put;
    columns.c_thread.push(thread);
    columns.c_ns.push(namespace);
    columns.c_id.push(checkpointId);
    columns.c_parent.push(parentId);
    columns.c_type.push(checkpoint.type);
    columns.c_data.push(checkpoint.data);
    columns.c_metadata_type.push(metadata.type);
    columns.c_metadata.push(metadata.data);
    columns.c_labels.push(writeJson(labels));
    columns.c_versions.push(JSON.stringify(asTexts(channelVersions)));
    for (const { channel, version, type, data } of channels) {
      columns.b_thread.push(thread);
      columns.b_ns.push(namespace);
      columns.b_channel.push(channel);
      columns.b_version.push(String(version));
      columns.b_type.push(type);
      columns.b_data.push(data);
    }
  }

  private addWrites(thread: number, put: PutCheckpointWritesBody): void {
    const { columns } = this;
    const { namespace, checkpointId, taskId, taskPath, overwrite, writes } = put;
    for (const { index, channel, type, data } of writes) {
      columns.w_thread.push(thread);
      columns.w_ns.push(namespace);
      columns.w_id.push(checkpointId);
      columns.w_path.push(taskPath);
      columns.w_task.push(taskId);
      columns.w_index.push(index);
      columns.w_channel.push(channel);
      columns.w_type.push(type);
      columns.w_data.push(data);
      columns.w_overwrite.push(overwrite);
    }
  }
}

const linesOf = (values: readonly unknown[]): string => values.map((value) => `\n${String(value)}`).join('');

const asTexts = (versions: PutCheckpointBody['channelVersions']): Record<string, string> =>
  Object.fromEntries(Object.entries(versions).map(([channel, version]) => [channel, plainText(String(version))]));

/** Identifies a checkpoint, or the writes of a task. No id contains the separator, which Postgres cannot store. */
const rowOf = (
  session: string,
  { namespace, checkpointId }: { readonly namespace: string; readonly checkpointId: string },
  task: string,
): string => `${session}\0${namespace}\0${checkpointId}\0${task}`;
