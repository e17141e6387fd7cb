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
  /** Default `TURNKEEPER_EVENTS`. */
  readonly stream?: string;
  /** First token of all subjects; default `tk`. */
  readonly subjectPrefix?: string;
  /** How long a message stays for those who read late. Default 7 days. */
  readonly maxAgeMs?: number;
  /**
   * How long the server recognises a repeated publish. Default 30 s: longer than a publish is tried before the relay's lead
   * moves on, and so short that a message which was deleted can soon be published again.
   */
  readonly dedupWindowMs?: number;
  /** Copies in a cluster. Default 1. */
  readonly replicas?: number;
}

export interface EventStream {
  readonly name: string;
  readonly subjectPrefix: string;
  /** How long a message stays, in milliseconds. */
  readonly maxAgeMs: number;
  readonly config: Partial<StreamConfig>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Fills in the defaults. Limits retention: a copy for many readers, never a work queue that could strand messages. */
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
      description: 'References to events of the log. A copy: it may be wiped at any time.',
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

/** Makes the stream, or brings one that exists to these settings. Safe to call from several processes at once. */
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
