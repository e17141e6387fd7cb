import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';

export type { Logger } from 'pino';

/** JSON lines on standard output; one wide line per unit of work, named `<noun>.<past tense>`. */
export const createLogger = (service: string, level: string): Logger =>
  pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: ['authorization', '*.authorization', 'secret', '*.secret', 'apiKey', '*.apiKey'],
  });

/** Nest's own start-up chatter goes to debug; its warnings and errors keep their level. */
export const nestLogger = (logger: Logger): LoggerService => ({
  log: (message: unknown, context?: unknown) => logger.debug({ context, message }, 'nest.logged'),
  debug: (message: unknown, context?: unknown) => logger.debug({ context, message }, 'nest.logged'),
  verbose: (message: unknown, context?: unknown) => logger.trace({ context, message }, 'nest.logged'),
  warn: (message: unknown, context?: unknown) => logger.warn({ context, message }, 'nest.warned'),
  error: (message: unknown, ...rest: unknown[]) => logger.error({ message, rest }, 'nest.failed'),
});
