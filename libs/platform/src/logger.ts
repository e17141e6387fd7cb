import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';
import { safeError, safeText } from './errors/safe-error.js';

export type { Logger } from 'pino';

/** Lines gather until they fill a page or this time is over, so that a line costs no write of its own. */
const GATHER = { minLength: 4_096, periodicFlush: 100 };
const WARN = 40;

/**
 * JSON lines on standard output; one wide line per unit of work, named `<noun>.<past tense>`. A warning or worse is
 * written at once, with what came before it; the rest within a tenth of a second, and at the end of the process.
 *
 * @param level `trace` to `fatal`, or `silent`
 * @param fd where lines go. Default 1, standard output
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
      // Wherever an error is put in a line, none of what it carries beside message and code gets out.
      serializers: Object.fromEntries(['err', 'error', 'cause', 'reason'].map((name) => [name, errorsOnly])),
      hooks: {
        logMethod(args, method, severity) {
          const [first, ...rest] = args as unknown[];
          // pino takes the message of a bare error as that of the line.
          const said = first instanceof Error ? [{ err: first }, rest[0] ?? 'error.logged'] : args;
          method.apply(this, said as typeof args);
          if (severity >= WARN) lines.flush();
        },
      },
    },
    lines,
  );
};

/** Texts pass without their secrets, plain values as they are; everything else is an error. */
const errorsOnly = (value: unknown): unknown => {
  if (typeof value === 'string') return safeText(value);
  return typeof value === 'object' && value !== null ? safeError(value) : value;
};

/** What Nest logs may be an error, or a stack that begins with an error's message. */
const fromNest = (value: unknown): unknown => {
  if (value instanceof Error) return safeError(value);
  if (typeof value !== 'string') return value;
  const frames = value.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.length > 0 ? frames.join('\n') : safeText(value);
};

/** Nest's own start-up chatter goes to debug; its warnings and errors keep their level. */
export const nestLogger = (logger: Logger): LoggerService => ({
  log: (message: unknown, context?: unknown) => logger.debug({ context, message }, 'nest.logged'),
  debug: (message: unknown, context?: unknown) => logger.debug({ context, message }, 'nest.logged'),
  verbose: (message: unknown, context?: unknown) => logger.trace({ context, message }, 'nest.logged'),
  warn: (message: unknown, context?: unknown) => logger.warn({ context, message: fromNest(message) }, 'nest.warned'),
  error: (message: unknown, ...rest: unknown[]) =>
    logger.error({ message: fromNest(message), rest: rest.map(fromNest) }, 'nest.failed'),
});
