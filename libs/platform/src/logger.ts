import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';

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
      hooks: {
        logMethod(args, method, severity) {
          method.apply(this, args);
          if (severity >= WARN) lines.flush();
        },
      },
    },
    lines,
  );
};

/** Nest's own start-up chatter goes to debug; its warnings and errors keep their level. */
export const nestLogger = (logger: Logger): LoggerService => ({
  log: (message: unknown, context?: unknown) => logger.debug({ context, message }, 'nest.logged'),
  debug: (message: unknown, context?: unknown) => logger.debug({ context, message }, 'nest.logged'),
  verbose: (message: unknown, context?: unknown) => logger.trace({ context, message }, 'nest.logged'),
  warn: (message: unknown, context?: unknown) => logger.warn({ context, message }, 'nest.warned'),
  error: (message: unknown, ...rest: unknown[]) => logger.error({ message, rest }, 'nest.failed'),
});
