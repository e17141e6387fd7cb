import {
  DiscardPolicy,
  nanos,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type NatsError,
  type StreamConfig,
} from 'nats';
import { DEFAULT_SUBJECT_PREFIX } from './subjects.js';

export interface EventStreamSettings {
  /** Default: `TURNKEEPER_EVENTS`. */
  readonly stream?: string;
  /** First token of all subjects. Default: `tk`. */
  readonly subjectPrefix?: string;
  /** Retention of messages in milliseconds. Default: 7 days. */
  readonly maxAgeMs?: number;
  /**
   * Deduplication window in milliseconds. Default: 30 s, which is longer than the relay retries one publish before its
   * lease moves on, and short enough that a deleted message can soon be republished.
   */
  readonly dedupWindowMs?: number;
  /** Replicas in a cluster. Default: 1. */
  readonly replicas?: number;
  /** Shown by NATS tools. Default: that of the stream of references. */
  readonly description?: string;
}

export interface EventStream {
  readonly name: string;
  readonly subjectPrefix: string;
  /** Retention of messages in milliseconds. */
  readonly maxAgeMs: number;
  readonly config: Partial<StreamConfig>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Applies the defaults. Limits retention: a copy for any number of readers, never a work queue that could strand
 * messages.
 */
export const eventStream = (settings: EventStreamSettings = {}): EventStream => {
  const name = settings.stream ?? 'TURNKEEPER_EVENTS';
  const subjectPrefix = settings.subjectPrefix ?? DEFAULT_SUBJECT_PREFIX;
  const maxAgeMs = settings.maxAgeMs ?? 7 * DAY_MS;
  return {
    name,
    subjectPrefix,
    maxAgeMs,
    config: {
      name,
      description: settings.description ?? 'References to events of the log. A copy: it may be wiped at any time.',
      subjects: [`${subjectPrefix}.>`],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.Old,
      max_age: nanos(maxAgeMs),
      duplicate_window: nanos(Math.min(settings.dedupWindowMs ?? 30_000, maxAgeMs)),
      num_replicas: settings.replicas ?? 1,
    },
  };
};

/**
 * Creates the stream, or updates an existing one to these settings. Safe to call concurrently from several processes.
 */
export const ensureEventStream = async (jsm: JetStreamManager, { name, config }: EventStream): Promise<void> => {
  try {
    await jsm.streams.add(config);
  } catch (error) {
    if (!isStreamInUse(error)) throw error;
    await jsm.streams.update(name, config);
  }
};

const STREAM_NAME_EXISTS = 10058;
const isStreamInUse = (error: unknown): boolean => (error as NatsError).api_error?.err_code === STREAM_NAME_EXISTS;
