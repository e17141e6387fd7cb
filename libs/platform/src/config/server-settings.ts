import { z } from 'zod';
import { count, url, urls } from './setting-kinds.js';
import { setting } from './define-settings.js';

/** Postgres, NATS and the queue. */
export const serverSettings = {
  DATABASE_URL: setting(url('postgres:', 'postgresql:'), 'Postgres, the source of truth. Required.', {
    secret: true,
    example: 'postgres://turnkeeper:secret@localhost:5432/turnkeeper',
  }),
  MIGRATION_DATABASE_URL: setting(
    url('postgres:', 'postgresql:').optional(),
    'Login that owns the tables, for the command line only. `migrate` uses it to create the login of DATABASE_URL, which owns nothing. Unset: the command line uses DATABASE_URL. Do not set it for ingest and worker.',
    { secret: true, example: 'postgres://owner:secret@localhost:5432/turnkeeper' },
  ),
  DATABASE_POOL_SIZE: setting(
    count(15, 7, 500),
    'Maximum connections of one process to Postgres, for reads, writes and appends together, not counting a queue on Postgres. With the default, three of ingest, worker and `migrate` each fit into max_connections = 100.',
  ),
  ROW_LEVEL_SECURITY: setting(
    z.enum(['auto', 'required', 'off']).default('required'),
    'Use the database roles that can access one tenant at a time. required: refuse to start without them; auto: start without them; off: never use them.',
  ),
  DURABLE_COMMITS: setting(
    z.enum(['required', 'off']).default('required'),
    'What to do if Postgres can lose committed transactions (fsync, full_page_writes or synchronous_commit is off, including as a default of the role or the database). required: refuse to start, and report not ready; off: start, and report it in the log and on /readyz.',
  ),
  APPEND_LANES: setting(
    count(1, 1, 8),
    'Batches of events sent to Postgres concurrently; use 2 if the round trip to Postgres takes milliseconds.',
  ),
  APPEND_MAX_BATCH: setting(count(500, 1, 5_000), 'Maximum events in one group commit.'),
  NATS_URL: setting(
    urls('nats:', 'tls:').default('nats://localhost:4222'),
    'NATS with JetStream; comma-separated servers of a cluster. Holds copies only and can be wiped at any time.',
  ),
  NATS_STREAM: setting(
    z
      .string()
      .regex(/^[A-Z0-9_-]{1,64}$/, 'must be 1-64 of A-Z 0-9 _ -')
      .default('TURNKEEPER_EVENTS'),
    'Name of the JetStream stream. Installations that share a NATS need different names and prefixes.',
  ),
  NATS_SUBJECT_PREFIX: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1-64 of A-Z a-z 0-9 _ -')
      .default('tk'),
    'First token of all JetStream subjects. Streams of one NATS must not share subjects.',
  ),
  STREAM_CONTENT: setting(
    z.enum(['references', 'full']).default('references'),
    "What is published to JetStream. references: ids of events; full: also each event as a CloudEvent on a second stream, '<NATS_STREAM>_CONTENT', for external subscribers.",
  ),
  STREAM_CONTENT_HOURS: setting(
    count(12, 1, 23),
    'Retention of the CloudEvents, in hours. Less than a day, so that no event outlives its eventExpiryDuration.',
  ),
  STREAM_REPLICAS: setting(
    count(1, 1, 5),
    'Copies of the streams in a NATS cluster: 3 survive the loss of one of three servers. Changing it changes existing streams. More than the cluster has servers: nothing is published until it has them.',
  ),
  RELAY_POLL_MS: setting(
    count(100, 5, 60_000),
    'How often the relay looks for events that other ingest processes appended, in milliseconds.',
  ),
  QUEUE_URL: setting(
    url('redis:', 'rediss:', 'valkey:', 'valkeys:', 'postgres:', 'postgresql:').default('redis://localhost:6379'),
    "BullMQ's backend: Redis or Valkey, or a postgres:// URL for its Postgres backend. Can be wiped at any time.",
    { secret: true },
  ),
  QUEUE_PREFIX: setting(
    z
      .string()
      .regex(/^[a-z0-9_]{1,40}$/, 'must be 1-40 of a-z 0-9 _')
      .default('turnkeeper'),
    'Prefix of the queue keys (schema name on the Postgres backend).',
  ),
} as const;
