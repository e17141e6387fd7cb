import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';
import { safeError, safeText } from './errors/safe-error.js';

export type { Logger } from 'pino';

/** Buffers lines until this much is full or this time has passed, so that not every line costs a write. */
const GATHER = { minLength: 16_000, periodicFlush: 100 };
const WARN = 40;

/**
 * JSON lines on standard output; one wide line per unit of work, named `<noun>.<past tense>`. Warnings and above are
 * flushed immediately together with earlier lines; the rest within 100 ms and on exit.
 *
 * @param level `trace` to `fatal`, or `silent`
 * @param fd output file descriptor. Default: 1 (standard output)
 */
export const createLogger = (service: string, level: string, fd = 1): Logger => {
  const lines = pino.destination({ dest: fd, sync: false, ...GATHER });
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: ['authorization', '*.authorization', 'secret', '*.secret', 'apiKey', '*.apiKey'],
      // Only safe properties of an error are logged, regardless of its field.
      serializers: Object.fromEntries(['err', 'error', 'cause', 'reason'].map((name) => [name, errorsOnly])),
      hooks: {
        logMethod(args, method, severity) {
          const [first, ...rest] = args as unknown[];
          // pino uses the message of a bare error as the message of the line.
          const said = first instanceof Error ? [{ err: first }, rest[0] ?? 'error.logged'] : args;
          method.apply(this, said as typeof args);
          if (severity >= WARN) lines.flush();
        },
      },
    },
    lines,
  );
};

/** Redacts secrets in text, keeps plain values, and treats everything else as an error. */
const errorsOnly = (value: unknown): unknown => {
  if (typeof value === 'string') return safeText(value);
  return typeof value === 'object' && value !== null ? safeError(value) : value;
};

/** Nest may log an error, or a stack that starts with an error's message. */
const fromNest = (value: unknown): unknown => {
  if (value instanceof Error) return safeError(value);
  if (typeof value !== 'string') return value;
  const frames = value.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.length > 0 ? frames.join('\n') : safeText(value);
};

/** Logs Nest's own start-up messages at debug level. Its warnings and errors keep their level. */
export const nestLogger = (logger: Logger): LoggerService => ({
  log: (message: unknown, context?: unknown) => logger.debug({ context, message }, 'nest.logged'),
  debug: (message: unknown, context?: unknown) => logger.debug({ context, message }, 'nest.logged'),
  verbose: (message: unknown, context?: unknown) => logger.trace({ context, message }, 'nest.logged'),
  warn: (message: unknown, context?: unknown) => logger.warn({ context, message: fromNest(message) }, 'nest.warned'),
  error: (message: unknown, ...rest: unknown[]) => {
    // Nest logs a failed start and throws it as well: `failStart` reports it.
    if (rest.at(-1) === 'ExceptionHandler') return;
    logger.error({ message: fromNest(message), rest: rest.map(fromNest) }, 'nest.failed');
  },
});
