export type MetricService = 'ingest' | 'worker';

interface Described {
  readonly help: string;
  /** How an operator uses it. */
  readonly use: string;
  readonly labels: readonly string[];
  readonly services: readonly MetricService[];
}
export type MetricDescription =
  | (Described & { readonly type: 'counter' | 'gauge' })
  | (Described & { readonly type: 'histogram'; readonly buckets: readonly number[] });

/** Seconds: from a fast append to a slow page. */
const REQUEST = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const HEAD = [...REQUEST, 10];
/** Seconds: from a rule to a slow model. */
const MODEL = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const ATTEMPT = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];
const BATCH = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

const both = ['ingest', 'worker'] as const;
const ingest = ['ingest'] as const;
const worker = ['worker'] as const;

/**
 * Every series of ingest and worker, without the prefix `turnkeeper_`. Base units. No labels for tenant, memory or
 * session, so the number of series is bounded. docs/metrics.md, the alerts and the dashboard are checked against it.
 */
export const METRICS = {
  http_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from the first byte of a request to the end of its answer.',
    use: 'Request rate, error rate and latency, by route template.',
    labels: ['method', 'route', 'status'],
    buckets: REQUEST,
    services: ingest,
  },
  appended_events_total: {
    type: 'counter',
    help: 'Conversation events that were committed.',
    use: 'The append rate.',
    labels: [],
    services: ingest,
  },
  chat_memory_failures_total: {
    type: 'counter',
    help: 'Chat requests whose memory could not be read, or whose turns could not be stored, by step.',
    use: 'Should be 0. With CHAT_WITHOUT_MEMORY=forward the calls went on without memory, or are missing from it.',
    labels: ['step'],
    services: ingest,
  },
  append_batch_events: {
    type: 'histogram',
    help: 'Events that shared one commit.',
    use: 'Large batches mean that commits are slow or load is high.',
    labels: [],
    buckets: BATCH,
    services: ingest,
  },
  append_batch_duration_seconds: {
    type: 'histogram',
    help: 'Time to write one batch, retries included.',
    use: 'The part of append latency that Postgres decides.',
    labels: [],
    buckets: REQUEST,
    services: ingest,
  },
  head_wait_seconds: {
    type: 'histogram',
    help: 'Time that writes waited for the head of the log.',
    use: 'Rises when another write holds the head too long.',
    labels: [],
    buckets: HEAD,
    services: both,
  },
  head_hold_seconds: {
    type: 'histogram',
    help: 'Time that writes held the head of the log.',
    use: 'Names the cause of a high `head_wait_seconds`: the service that holds it.',
    labels: [],
    buckets: HEAD,
    services: both,
  },
  database_connections: {
    type: 'gauge',
    help: 'Connections of the pools of this process, by state: `used`, `idle`; `waiting` counts requests for one.',
    use: 'Waiting above 0 for long: raise DATABASE_POOL_SIZE or add replicas.',
    labels: ['state'],
    services: both,
  },
  record_embeddings_behind_events: {
    type: 'gauge',
    help: 'Events of the log whose records are not embedded yet, where a model is configured.',
    use: 'Records that are not embedded are found by words only. Grows while the model does not answer.',
    labels: [],
    services: worker,
  },
  embeddings_behind_events: {
    type: 'gauge',
    help: 'Events of the log whose turns are not embedded yet, where a model is configured.',
    use: 'Turns that are not embedded are found by words only. Grows while the model does not answer.',
    labels: [],
    services: worker,
  },
  embeddings_refused_total: {
    type: 'counter',
    help: 'Turns that the model refused to embed.',
    use: 'They are found by their words only.',
    labels: [],
    services: worker,
  },
  unknown_events_read_total: {
    type: 'counter',
    help: 'Events read that were written by a later release, by type.',
    use: 'Above 0 only while two releases run side by side.',
    labels: ['type'],
    services: both,
  },
  relay_published_events_total: {
    type: 'counter',
    help: 'Events whose references were published to JetStream.',
    use: 'Follows the append rate.',
    labels: [],
    services: ingest,
  },
  relay_failures_total: {
    type: 'counter',
    help: 'Failed attempts of the relay to read the log or to publish.',
    use: 'Rises while NATS is away; nothing is lost.',
    labels: [],
    services: ingest,
  },
  content_published_events_total: {
    type: 'counter',
    labels: [],
    help: 'Events published as CloudEvents.',
    use: 'Only with STREAM_CONTENT=full.',
    services: ingest,
  },
  content_skipped_events_total: {
    type: 'counter',
    labels: [],
    help: 'Events not published as CloudEvents, because they were older than the retention or would expire within it.',
    use: 'Rises after NATS or all ingest processes were away for longer than STREAM_CONTENT_HOURS.',
    services: ingest,
  },
  content_failures_total: {
    type: 'counter',
    labels: [],
    help: 'Failed attempts to publish CloudEvents.',
    use: 'Rises while NATS is away; nothing is lost within STREAM_CONTENT_HOURS.',
    services: ingest,
  },
  relay_leading: {
    type: 'gauge',
    help: '1 while this process publishes for all.',
    use: 'The sum over all ingest processes is 1.',
    labels: [],
    services: ingest,
  },
  jetstream_missing_events: {
    type: 'gauge',
    help: 'Events missing in the stream when it was last compared with the log.',
    use: 'Above 0 after a wipe; they are published again.',
    labels: [],
    services: ingest,
  },
  jetstream_lost_events_total: {
    type: 'counter',
    help: 'Events found missing in the stream.',
    use: 'Rises when messages are deleted from the stream.',
    labels: [],
    services: ingest,
  },
  jetstream_republished_messages_total: {
    type: 'counter',
    help: 'Lost messages that were published again.',
    use: 'Follows `jetstream_lost_events_total`.',
    labels: [],
    services: ingest,
  },
  follower_lag_events: {
    type: 'gauge',
    help: 'Events of the log that a follower has not seen.',
    use: 'How far the dispatcher, the relay and the indexes are behind.',
    labels: ['follower'],
    services: worker,
  },
  follower_lag_seconds: {
    type: 'gauge',
    help: 'Age of the oldest event that a follower has not seen.',
    use: 'The delay that users notice.',
    labels: ['follower'],
    services: worker,
  },
  dispatched_events_total: {
    type: 'counter',
    help: 'Events of the log that were turned into due work.',
    use: 'Follows the append rate.',
    labels: [],
    services: worker,
  },
  oldest_due_seconds: {
    type: 'gauge',
    help: 'Time since the oldest unclaimed work became due, by kind.',
    use: 'The signal to scale workers by.',
    labels: ['kind'],
    services: worker,
  },
  queue_up: {
    type: 'gauge',
    help: '1 while the job queue answers.',
    use: 'At 0 extraction and webhooks pause; nothing is lost.',
    labels: [],
    services: worker,
  },
  jobs_total: {
    type: 'counter',
    help: 'Jobs that ended, by kind and outcome: `finished`, `failed` or `recovered` from a lost worker.',
    use: 'Work done per second, and how much of it fails.',
    labels: ['kind', 'outcome'],
    services: worker,
  },
  extraction_duration_seconds: {
    type: 'histogram',
    help: 'Time to extract one window, by outcome.',
    use: 'Extraction rate and failures.',
    labels: ['outcome'],
    buckets: MODEL,
    services: worker,
  },
  extraction_records_total: {
    type: 'counter',
    help: 'Facts found, by result: `made`, `confirmed` or `refused` for lack of proof.',
    use: 'A high share of refused means that the model invents quotes.',
    labels: ['result'],
    services: worker,
  },
  extraction_not_kept_total: {
    type: 'counter',
    help: 'What extraction did not keep, by reason: skipped sentences, refused facts (`refused_…`), and facts that were kept with a doubt (`doubt_…`).',
    use: 'Shows which rule refuses facts of your model.',
    labels: ['reason'],
    services: worker,
  },
  model_call_duration_seconds: {
    type: 'histogram',
    help: 'Time that the model took to answer, by outcome: `answered` or the error code.',
    use: 'Latency and failures of the endpoint at LLM_BASE_URL.',
    labels: ['outcome'],
    buckets: MODEL,
    services: worker,
  },
  model_tokens_total: {
    type: 'counter',
    help: 'Tokens as the endpoint counted them, by direction (`input` or `output`) and type of strategy.',
    use: 'The cost of extraction. By day, memory and strategy: `GET /memory/memories/{memoryId}/usage`.',
    labels: ['direction', 'strategy'],
    services: worker,
  },
  lost_leases_total: {
    type: 'counter',
    help: 'Claims whose worker was lost before it recorded an outcome.',
    use: 'Rises when workers are killed or freeze.',
    labels: ['kind'],
    services: worker,
  },
  webhook_attempt_duration_seconds: {
    type: 'histogram',
    help: 'Time of one attempt to deliver a webhook, by reason: `delivered`, `server_error`, `timeout`, …',
    use: 'Delivery rate, failures and slow receivers.',
    labels: ['reason'],
    buckets: ATTEMPT,
    services: worker,
  },
  connector_calls_folded_total: {
    type: 'counter',
    help: 'Calls of vendors that were folded into sessions, by outcome.',
    use: 'Rises with the calls that connectors receive.',
    labels: ['outcome'],
    services: worker,
  },
  consumer_messages_total: {
    type: 'counter',
    help: 'Messages of JetStream, by durable consumer and outcome (`handled` or `retried`).',
    use: 'Retried should stay at 0; the log has the cause (`message.retried`).',
    labels: ['durable', 'outcome'],
    services: worker,
  },
  consumer_interruptions_total: {
    type: 'counter',
    help: 'Interruptions of a durable consumer.',
    use: 'Rises while NATS is away.',
    labels: ['durable'],
    services: worker,
  },
  parked_items: {
    type: 'gauge',
    help: 'Work parked until an operator decides, by kind.',
    use: 'Should be 0; see `GET /v1/admin/parked`.',
    labels: ['kind'],
    services: worker,
  },
  parked_oldest_seconds: {
    type: 'gauge',
    help: 'Time since the oldest item was parked, by kind.',
    use: 'How long it has waited for an operator.',
    labels: ['kind'],
    services: worker,
  },
  parked_total: {
    type: 'counter',
    help: 'Items that were parked, by kind.',
    use: 'The rate at which work is parked.',
    labels: ['kind'],
    services: worker,
  },
  unfinished_erasures: {
    type: 'gauge',
    help: 'Deletions that were requested and whose data is not yet gone from the database, by kind: `memory`, `session` or `records`.',
    use: 'Returns to 0 within a few `PURGE_INTERVAL_SECONDS`; the data can no longer be read meanwhile.',
    labels: ['kind'],
    services: worker,
  },
  unfinished_erasure_oldest_seconds: {
    type: 'gauge',
    help: 'Time since the oldest such deletion was requested, by kind.',
    use: 'Compare it with the time that you promise for erasure.',
    labels: ['kind'],
    services: worker,
  },
  inactive_endpoints: {
    type: 'gauge',
    help: 'Webhook endpoints that get nothing, by status: `paused` by their owner, or `disabled` because they answered 410.',
    use: 'Explains deliveries that wait or are parked although no attempt fails.',
    labels: ['status'],
    services: worker,
  },
  purged_events_total: {
    type: 'counter',
    help: 'Events deleted for good, by reason: `expired` or `erased`.',
    use: 'Follows expiry and erasure requests.',
    labels: ['reason'],
    services: worker,
  },
} as const satisfies Record<string, MetricDescription>;

export type MetricName = keyof typeof METRICS;
/** The metrics of one type. */
export type MetricOf<T extends MetricDescription['type']> = {
  [N in MetricName]: (typeof METRICS)[N]['type'] extends T ? N : never;
}[MetricName];
export type LabelOf<N extends MetricName> = (typeof METRICS)[N]['labels'][number];
