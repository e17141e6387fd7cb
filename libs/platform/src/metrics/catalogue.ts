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

/** @param use how an operator uses it */
const metricsOf = <const S extends readonly MetricService[]>(...services: S) => ({
  counter: <const L extends readonly string[]>(help: string, use: string, ...labels: L) =>
    ({ type: 'counter', help, use, labels, services }) as const,
  gauge: <const L extends readonly string[]>(help: string, use: string, ...labels: L) =>
    ({ type: 'gauge', help, use, labels, services }) as const,
  histogram: <const L extends readonly string[]>(help: string, use: string, buckets: readonly number[], ...labels: L) =>
    ({ type: 'histogram', help, use, labels, buckets, services }) as const,
});
const both = metricsOf('ingest', 'worker');
const ingest = metricsOf('ingest');
const worker = metricsOf('worker');

/**
 * Every series of ingest and worker, without the prefix `turnkeeper_`. Base units. No labels for tenant, memory or
 * session, so the number of series is bounded. docs/metrics.md, the alerts and the dashboard are checked against it.
 */
export const METRICS = {
  http_request_duration_seconds: ingest.histogram(
    'Time from the first byte of a request to the end of its answer.',
    'Request rate, error rate and latency, by route template.',
    REQUEST,
    'method',
    'route',
    'status',
  ),
  appended_events_total: ingest.counter('Conversation events that were committed.', 'The append rate.'),
  chat_memory_failures_total: ingest.counter(
    'Chat requests whose memory could not be read, or whose turns could not be stored, by step.',
    'Should be 0. With CHAT_WITHOUT_MEMORY=forward the calls went on without memory, or are missing from it.',
    'step',
  ),
  append_batch_events: ingest.histogram(
    'Events that shared one commit.',
    'Large batches mean that commits are slow or load is high.',
    BATCH,
  ),
  append_batch_duration_seconds: ingest.histogram(
    'Time to write one batch, retries included.',
    'The part of append latency that Postgres decides.',
    REQUEST,
  ),
  head_wait_seconds: both.histogram(
    'Time that writes waited for the head of the log.',
    'Rises when another write holds the head too long.',
    HEAD,
  ),
  head_hold_seconds: both.histogram(
    'Time that writes held the head of the log.',
    'Names the cause of a high `head_wait_seconds`: the service that holds it.',
    HEAD,
  ),
  database_connections: both.gauge(
    'Connections of the pools of this process, by state: `used`, `idle`; `waiting` counts requests for one.',
    'Waiting above 0 for long: raise DATABASE_POOL_SIZE or add replicas.',
    'state',
  ),
  record_embeddings_behind_events: worker.gauge(
    'Events of the log whose records are not embedded yet, where a model is configured.',
    'Records that are not embedded are found by words only. Grows while the model does not answer.',
  ),
  embeddings_behind_events: worker.gauge(
    'Events of the log whose turns are not embedded yet, where a model is configured.',
    'Turns that are not embedded are found by words only. Grows while the model does not answer.',
  ),
  embeddings_refused_total: worker.counter(
    'Turns that the model refused to embed.',
    'They are found by their words only.',
  ),
  unknown_events_read_total: both.counter(
    'Events read that were written by a later release, by type.',
    'Above 0 only while two releases run side by side.',
    'type',
  ),
  relay_published_events_total: ingest.counter(
    'Events whose references were published to JetStream.',
    'Follows the append rate.',
  ),
  relay_failures_total: ingest.counter(
    'Failed attempts of the relay to read the log or to publish.',
    'Rises while NATS is away; nothing is lost.',
  ),
  content_published_events_total: ingest.counter('Events published as CloudEvents.', 'Only with STREAM_CONTENT=full.'),
  content_skipped_events_total: ingest.counter(
    'Events not published as CloudEvents, because they were older than the retention or would expire within it.',
    'Rises after NATS or all ingest processes were away for longer than STREAM_CONTENT_HOURS.',
  ),
  content_failures_total: ingest.counter(
    'Failed attempts to publish CloudEvents.',
    'Rises while NATS is away; nothing is lost within STREAM_CONTENT_HOURS.',
  ),
  relay_leading: ingest.gauge('1 while this process publishes for all.', 'The sum over all ingest processes is 1.'),
  jetstream_missing_events: ingest.gauge(
    'Events missing in the stream when it was last compared with the log.',
    'Above 0 after a wipe; they are published again.',
  ),
  jetstream_lost_events_total: ingest.counter(
    'Events found missing in the stream.',
    'Rises when messages are deleted from the stream.',
  ),
  jetstream_republished_messages_total: ingest.counter(
    'Lost messages that were published again.',
    'Follows `jetstream_lost_events_total`.',
  ),
  follower_lag_events: worker.gauge(
    'Events of the log that a follower has not seen.',
    'How far the dispatcher, the relay and the indexes are behind.',
    'follower',
  ),
  follower_lag_seconds: worker.gauge(
    'Age of the oldest event that a follower has not seen.',
    'The delay that users notice.',
    'follower',
  ),
  dispatched_events_total: worker.counter(
    'Events of the log that were turned into due work.',
    'Follows the append rate.',
  ),
  oldest_due_seconds: worker.gauge(
    'Time since the oldest unclaimed work became due, by kind.',
    'The signal to scale workers by.',
    'kind',
  ),
  queue_up: worker.gauge('1 while the job queue answers.', 'At 0 extraction and webhooks pause; nothing is lost.'),
  jobs_total: worker.counter(
    'Jobs that ended, by kind and outcome: `finished`, `failed` or `recovered` from a lost worker.',
    'Work done per second, and how much of it fails.',
    'kind',
    'outcome',
  ),
  extraction_duration_seconds: worker.histogram(
    'Time to extract one window, by outcome.',
    'Extraction rate and failures.',
    MODEL,
    'outcome',
  ),
  extraction_records_total: worker.counter(
    'Facts found, by result: `made`, `confirmed` or `refused` for lack of proof.',
    'A high share of refused means that the model invents quotes.',
    'result',
  ),
  extraction_not_kept_total: worker.counter(
    'What extraction did not keep, by reason: skipped sentences, refused facts (`refused_…`), and facts that were kept with a doubt (`doubt_…`).',
    'Shows which rule refuses facts of your model.',
    'reason',
  ),
  model_call_duration_seconds: worker.histogram(
    'Time that the model took to answer, by outcome: `answered` or the error code.',
    'Latency and failures of the endpoint at LLM_BASE_URL.',
    MODEL,
    'outcome',
  ),
  model_tokens_total: worker.counter(
    'Tokens as the endpoint counted them, by direction (`input` or `output`) and type of strategy.',
    'The cost of extraction. By day, memory and strategy: `GET /memory/memories/{memoryId}/usage`.',
    'direction',
    'strategy',
  ),
  lost_leases_total: worker.counter(
    'Claims whose worker was lost before it recorded an outcome.',
    'Rises when workers are killed or freeze.',
    'kind',
  ),
  webhook_attempt_duration_seconds: worker.histogram(
    'Time of one attempt to deliver a webhook, by reason: `delivered`, `server_error`, `timeout`, …',
    'Delivery rate, failures and slow receivers.',
    ATTEMPT,
    'reason',
  ),
  connector_calls_folded_total: worker.counter(
    'Calls of vendors that were folded into sessions, by outcome.',
    'Rises with the calls that connectors receive.',
    'outcome',
  ),
  consumer_messages_total: worker.counter(
    'Messages of JetStream, by durable consumer and outcome (`handled` or `retried`).',
    'Retried should stay at 0; the log has the cause (`message.retried`).',
    'durable',
    'outcome',
  ),
  consumer_interruptions_total: worker.counter(
    'Interruptions of a durable consumer.',
    'Rises while NATS is away.',
    'durable',
  ),
  parked_items: worker.gauge(
    'Work parked until an operator decides, by kind.',
    'Should be 0; see `GET /v1/admin/parked`.',
    'kind',
  ),
  parked_oldest_seconds: worker.gauge(
    'Time since the oldest item was parked, by kind.',
    'How long it has waited for an operator.',
    'kind',
  ),
  parked_total: worker.counter('Items that were parked, by kind.', 'The rate at which work is parked.', 'kind'),
  unfinished_erasures: worker.gauge(
    'Deletions that were requested and whose data is not yet gone from the database, by kind: `memory`, `session` or `records`.',
    'Returns to 0 within a few `PURGE_INTERVAL_SECONDS`; the data can no longer be read meanwhile.',
    'kind',
  ),
  unfinished_erasure_oldest_seconds: worker.gauge(
    'Time since the oldest such deletion was requested, by kind.',
    'Compare it with the time that you promise for erasure.',
    'kind',
  ),
  inactive_endpoints: worker.gauge(
    'Webhook endpoints that get nothing, by status: `paused` by their owner, or `disabled` because they answered 410.',
    'Explains deliveries that wait or are parked although no attempt fails.',
    'status',
  ),
  purged_events_total: worker.counter(
    'Events deleted for good, by reason: `expired` or `erased`.',
    'Follows expiry and erasure requests.',
    'reason',
  ),
} satisfies Record<string, MetricDescription>;

export type MetricName = keyof typeof METRICS;
/** The metrics of one type. */
export type MetricOf<T extends MetricDescription['type']> = {
  [N in MetricName]: (typeof METRICS)[N]['type'] extends T ? N : never;
}[MetricName];
export type LabelOf<N extends MetricName> = (typeof METRICS)[N]['labels'][number];
