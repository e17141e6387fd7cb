import type { SessionScope } from '@turnkeeper/application';
import type { PutCheckpointBody, PutCheckpointWritesBody } from '@turnkeeper/contracts';

/** One request, and what settles it. */
export interface GraphWrite {
  readonly scope: SessionScope;
  readonly checkpoint?: PutCheckpointBody;
  readonly writes?: PutCheckpointWritesBody;
  readonly bytes: number;
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

/** Calls `write_graph_batch` with the tenant and a batch's columns. */
export const WRITE_BATCH = `select write_graph_batch($1${COLUMNS.map((_, at) => `, $${at + 2}`).join('')}) as keys`;

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

  /** False if the request writes a row that another one of the batch writes, so it belongs in the next batch. */
  add(request: GraphWrite): boolean {
    const keys = keysOf(request);
    if (keys.some((key) => this.taken.has(key))) return false;
    for (const key of keys) this.taken.add(key);
    const thread = this.threadFor(request.scope);
    if (request.checkpoint !== undefined) this.addCheckpoint(thread, request.checkpoint);
    if (request.writes !== undefined) this.addWrites(thread, request.writes);
    this.requests.push(request);
    this.threadOf.push(thread);
    this.bytes += request.bytes;
    return true;
  }

  get values(): unknown[][] {
    return COLUMNS.map((name) => this.columns[name]);
  }

  /** Whether the thread of this request could be written, by the keys that the statement returned. */
  wasWritten(index: number, keys: readonly (string | number)[]): boolean {
    return Number(keys[(this.threadOf[index] ?? 0) - 1]) > 0;
  }

  private threadFor({ memoryId, actorId, sessionId }: SessionScope): number {
    const key = JSON.stringify([memoryId, actorId, sessionId]);
    const known = this.threads.get(key);
    if (known !== undefined) return known;
    this.push({ t_memory: memoryId, t_actor: actorId, t_session: sessionId });
    this.threads.set(key, this.threads.size + 1);
    return this.threads.size;
  }

  private addCheckpoint(thread: number, put: PutCheckpointBody): void {
    const { namespace: ns, checkpointId, parentId, checkpoint, metadata, labels, channelVersions, channels } = put;
    this.push({
      ...{ c_thread: thread, c_ns: ns, c_id: checkpointId, c_parent: parentId },
      ...{ c_type: checkpoint.type, c_data: checkpoint.data },
      ...{ c_metadata_type: metadata.type, c_metadata: metadata.data },
      ...{ c_labels: JSON.stringify(labels), c_versions: JSON.stringify(asTexts(channelVersions)) },
    });
    for (const { channel, version, type, data } of channels) {
      this.push({
        ...{ b_thread: thread, b_ns: ns, b_channel: channel, b_version: String(version), b_type: type, b_data: data },
      });
    }
  }

  private addWrites(thread: number, put: PutCheckpointWritesBody): void {
    const { namespace: ns, checkpointId, taskId, taskPath, overwrite, writes } = put;
    for (const { index, channel, type, data } of writes) {
      this.push({
        ...{ w_thread: thread, w_ns: ns, w_id: checkpointId, w_path: taskPath, w_task: taskId, w_index: index },
        ...{ w_channel: channel, w_type: type, w_data: data, w_overwrite: overwrite },
      });
    }
  }

  private push(row: Partial<Record<Column, unknown>>): void {
    for (const [name, value] of Object.entries(row)) this.columns[name as Column].push(value);
  }
}

const asTexts = (versions: PutCheckpointBody['channelVersions']): Record<string, string> =>
  Object.fromEntries(Object.entries(versions).map(([channel, version]) => [channel, String(version)]));

/** Checkpoints and tasks that a request writes. Blobs never change, so they cannot conflict. */
const keysOf = ({ scope, checkpoint, writes }: GraphWrite): string[] => {
  const { memoryId, actorId, sessionId } = scope;
  const keyOf = (ns: string, id: string, task: string | null): string =>
    JSON.stringify([memoryId, actorId, sessionId, ns, id, task]);
  return [
    ...(checkpoint === undefined ? [] : [keyOf(checkpoint.namespace, checkpoint.checkpointId, null)]),
    ...(writes === undefined ? [] : [keyOf(writes.namespace, writes.checkpointId, writes.taskId)]),
  ];
};
