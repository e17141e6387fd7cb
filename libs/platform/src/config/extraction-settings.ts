import { z } from 'zod';
import { count, url } from './setting-kinds.js';
import { setting } from './define-settings.js';

/** Extraction, the model and embeddings. */
export const extractionSettings = {
  EXTRACTION_TURN_INTERVAL: setting(
    count(5, 1, 1_000).unwrap().optional(),
    'User turns after which a session that goes on is extracted. Default: 5; with a model 25, because each request repeats the same instructions. The rest is extracted when the agent stops or the session is quiet.',
    { example: '5' },
  ),
  EXTRACTION_QUIET_SECONDS: setting(
    count(30, 1, 86_400),
    "Seconds without a new event after which a session's remaining events are extracted.",
  ),
  EXTRACTION_WINDOW_EVENTS: setting(count(50, 1, 500), 'Maximum events per extraction.'),
  EXTRACTION_WINDOW_BYTES: setting(
    count(32_768, 1_024, 1_048_576),
    'Approximate maximum bytes of messages per extraction; a longer message is extracted separately.',
  ),
  EXTRACTION_CONTEXT_EVENTS: setting(count(6, 0, 100), 'Events before the window that are included as context only.'),
  EXTRACTION_CONCURRENCY: setting(count(16, 1, 500), 'Maximum concurrent extractions of one worker.'),
  EXTRACTION_THREADS: setting(
    count(2, 1, 64),
    'Threads of one worker that take notes and parse model answers. With two or more, one tenant can never occupy all of them.',
  ),
  EXTRACTION_THREAD_SECONDS: setting(
    count(10, 1, 600),
    "Limit of a thread's CPU time for one window; after that, the thread is terminated and the window counts as failed. Waiting for a CPU does not count.",
  ),
  EXTRACTION_THREAD_MEGABYTES: setting(
    count(256, 64, 8_192),
    'Memory limit of such a thread; beyond it, the thread is terminated and the window counts as failed.',
  ),
  EXTRACTION_TENANT_CONCURRENCY: setting(
    count(12, 1, 5_000),
    'Maximum concurrent extractions of one tenant over all workers. Keep it below the total of the workers, so that other tenants are served.',
  ),
  EXTRACTION_MAX_ATTEMPTS: setting(
    count(6, 1, 100),
    'Attempts on a window before it is parked, not counting outages of the model or the database, or a lack of CPU or memory. A timeout of the model is not an outage; an attempt whose worker was killed counts.',
  ),
  EXTRACTION_MAX_OUTAGE_TRIES: setting(
    count(300, 1, 10_000),
    'Attempts during a model outage (no connection, 502, 503, 429, 401, 402, 403, 404) before a window is parked. The interval grows to 5 minutes, or more if the endpoint asks for it: 300 attempts last at least a day.',
  ),
  EXTRACTION_LEASE_SECONDS: setting(
    count(5, 2, 3_600),
    'How long a worker may be unresponsive before others take over its sessions. The lease is renewed while the worker runs, however long the model takes.',
  ),
  RECORD_CONTACT_DETAILS: setting(
    z.enum(['keep', 'refuse']).default('keep'),
    'Whether extracted records may contain e-mail addresses and phone numbers. refuse: such facts are counted as refused (`secret`), and summaries show `…` instead. Records that clients insert are stored as they are.',
  ),
  LLM_BASE_URL: setting(
    url('http:', 'https:').optional(),
    'OpenAI-compatible endpoint for extraction. Unset: records are verbatim notes.',
    { example: 'https://llm.example.com/v1' },
  ),
  LLM_MODEL: setting(z.string().min(1).optional(), 'Model name sent to the endpoint.', { example: 'gpt-4o-mini' }),
  LLM_API_KEY: setting(z.string().min(1).optional(), 'Bearer token of the endpoint.', { secret: true }),
  LLM_TIMEOUT_SECONDS: setting(count(180, 1, 600), 'Time limit for one model call.'),
  LLM_TENANT_TOKENS_PER_DAY: setting(
    count(0, 0, Number.MAX_SAFE_INTEGER),
    'Input and output tokens that one tenant may use per day (UTC); 0: no limit. Extraction beyond that waits for the next day.',
  ),
  LLM_MEMORY_TOKENS_PER_DAY: setting(count(0, 0, Number.MAX_SAFE_INTEGER), 'The same for one memory.'),
  EMBEDDINGS: setting(
    z.enum(['auto', 'local', 'off']).default('auto'),
    'Vectors for search, in addition to words. auto: from EMBEDDINGS_URL if set; local: from the small English model in the optional package (200 MB per process, about 20 ms of CPU per record, turn and question); off: none. `npm start` uses local unless EMBEDDINGS or EMBEDDINGS_URL is set. Every record is embedded in the background, including those already stored.',
  ),
  EMBED_TURNS: setting(
    z.enum(['on', 'off']).default('on'),
    'Whether turns are embedded as well as records. off: turns are searched by words only. `npm start` sets off unless EMBEDDINGS, EMBEDDINGS_URL or EMBED_TURNS is set.',
  ),
  EMBEDDINGS_URL: setting(
    url('http:', 'https:').optional(),
    'OpenAI-compatible endpoint for embeddings. Unset: search is by words, unless EMBEDDINGS is local.',
    { example: 'https://embeddings.example.com/v1' },
  ),
  EMBEDDINGS_MODEL: setting(
    z.string().min(1).max(200).optional(),
    'Model name sent to that endpoint; required with EMBEDDINGS_URL. After a change, everything is embedded again in the background; the vectors of the previous model are used until then.',
    { example: 'text-embedding-3-small' },
  ),
  EMBEDDINGS_DIMENSIONS: setting(
    count(1_536, 8, 8_192),
    'Dimensions of that model’s vectors. A process refuses to start if the model or the stored vectors differ.',
  ),
  EMBEDDINGS_API_KEY: setting(z.string().min(1).optional(), 'Bearer token of that endpoint.', { secret: true }),
} as const;
