import { z } from 'zod';
import { count, url, urls } from './setting-kinds.js';

/** Postgres, NATS and the queue. */
export const serverSettings = {
  DATABASE_URL: {
    schema: url('postgres:', 'postgresql:'),
    about: 'Postgres, the source of truth. Required.',
    secret: true,
    example: 'postgres://turnkeeper:secret@localhost:5432/turnkeeper',
  },
  MIGRATION_DATABASE_URL: {
    schema: url('postgres:', 'postgresql:').optional(),
    about:
      'Login that owns the tables, for the command line only. `migrate` uses it to create the login of DATABASE_URL, which owns nothing. Unset: the command line uses DATABASE_URL. Do not set it for ingest and worker.',
    secret: true,
    example: 'postgres://owner:secret@localhost:5432/turnkeeper',
  },
  DATABASE_POOL_SIZE: {
    schema: count(15, 7, 500),
    about:
      'Maximum connections of one process to Postgres, for reads, writes and appends together, not counting a queue on Postgres. With the default, three of ingest, worker and `migrate` each fit into max_connections = 100.',
  },
  ROW_LEVEL_SECURITY: {
    schema: z.enum(['auto', 'required', 'off']).default('required'),
    about:
      'Use the database roles that can access one tenant at a time. required: refuse to start without them; auto: start without them; off: never use them.',
  },
  DURABLE_COMMITS: {
    schema: z.enum(['required', 'off']).default('required'),
    about:
      'What to do if Postgres can lose committed transactions (fsync, full_page_writes or synchronous_commit is off, including as a default of the role or the database). required: refuse to start, and report not ready; off: start, and report it in the log and on /readyz.',
  },
  APPEND_LANES: {
    schema: count(1, 1, 8),
    about: 'Batches of events sent to Postgres concurrently; use 2 if the round trip to Postgres takes milliseconds.',
  },
  APPEND_MAX_BATCH: { schema: count(500, 1, 5_000), about: 'Maximum events in one group commit.' },
  NATS_URL: {
    schema: urls('nats:', 'tls:').default('nats://localhost:4222'),
    about: 'NATS with JetStream; comma-separated servers of a cluster. Holds copies only and can be wiped at any time.',
  },
  NATS_STREAM: {
    schema: z
      .string()
      .regex(/^[A-Z0-9_-]{1,64}$/, 'must be 1-64 of A-Z 0-9 _ -')
      .default('TURNKEEPER_EVENTS'),
    about: 'Name of the JetStream stream. Installations that share a NATS need different names and prefixes.',
  },
  NATS_SUBJECT_PREFIX: {
    schema: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1-64 of A-Z a-z 0-9 _ -')
      .default('tk'),
    about: 'First token of all JetStream subjects. Streams of one NATS must not share subjects.',
  },
  STREAM_CONTENT: {
    schema: z.enum(['references', 'full']).default('references'),
    about:
      "What is published to JetStream. references: ids of events; full: also each event as a CloudEvent on a second stream, '<NATS_STREAM>_CONTENT', for external subscribers.",
  },
  STREAM_CONTENT_HOURS: {
    schema: count(12, 1, 23),
    about:
      'Retention of the CloudEvents, in hours. Less than a day, so that no event outlives its eventExpiryDuration.',
  },
  STREAM_REPLICAS: {
    schema: count(1, 1, 5),
    about:
      'Copies of the streams in a NATS cluster: 3 survive the loss of one of three servers. Changing it changes existing streams. More than the cluster has servers: nothing is published until it has them.',
  },
  RELAY_POLL_MS: {
    schema: count(100, 5, 60_000),
    about: 'How often the relay looks for events that other ingest processes appended, in milliseconds.',
  },
  QUEUE_URL: {
    schema: url('redis:', 'rediss:', 'valkey:', 'valkeys:', 'postgres:', 'postgresql:').default(
      'redis://localhost:6379',
    ),
    about:
      "BullMQ's backend: Redis or Valkey, or a postgres:// URL for its Postgres backend. Can be wiped at any time.",
    secret: true,
  },
  QUEUE_PREFIX: {
    schema: z
      .string()
      .regex(/^[a-z0-9_]{1,40}$/, 'must be 1-40 of a-z 0-9 _')
      .default('turnkeeper'),
    about: 'Prefix of the queue keys (schema name on the Postgres backend).',
  },
} as const;
