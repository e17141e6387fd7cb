import { InvalidSettings } from '../config/define-settings.js';
import type { Logger } from '../logger.js';
import { errorLine } from './safe-error.js';

interface PortSetting {
  /** Name of the setting that chose the port. */
  readonly variable: string;
  readonly host: string;
  readonly port: number;
}

/** The port that a service wants is in use. */
export class PortInUse extends Error {
  readonly code = 'EADDRINUSE';
  constructor({ variable, host, port }: PortSetting) {
    super(
      `${variable}=${port} is in use on ${host}. Stop the process that listens there, or set ${variable} to another port (0 takes a free one).`,
    );
    this.name = 'PortInUse';
  }
}

/** Listens, and names the setting where its port is in use. */
export const listenOrSay = async (listen: () => Promise<unknown>, setting: PortSetting): Promise<void> => {
  try {
    await listen();
  } catch (error) {
    throw (error as { code?: unknown }).code === 'EADDRINUSE' ? new PortInUse(setting) : error;
  }
};

/** The lines that say why a process does not start: one, or one for each setting at fault. */
export const startFailure = (service: string, error: unknown): string =>
  error instanceof InvalidSettings
    ? `${service} does not start:\n${error.problems.map(({ name, rule }) => `  ${name} ${rule}\n`).join('')}`
    : `${service} does not start: ${errorLine(error)}\n`;

/** Ends the process with exit code 1 and says why on standard error, without a trace. */
export const failStart = (service: string, error: unknown): never => {
  process.stderr.write(startFailure(service, error));
  process.exit(1);
};

/** Node would print an uncaught error with all its properties: the parameters of a statement are among them. */
export const crashOnUncaught = (logger: Logger): void => {
  for (const kind of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(kind, (error: unknown) => {
      logger.fatal({ err: error, kind }, 'process.crashed');
      process.exit(1);
    });
  }
};
