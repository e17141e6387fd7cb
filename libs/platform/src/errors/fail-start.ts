import { InvalidSettings } from '../config/define-settings.js';
import type { Logger } from '../logger.js';
import { errorLine, safeError } from './safe-error.js';

interface PortSetting {
  /** Name of the setting for the port. */
  readonly variable: string;
  readonly host: string;
  readonly port: number;
}

/** The service's port is in use. */
export class PortInUse extends Error {
  readonly code = 'EADDRINUSE';
  constructor({ variable, host, port }: PortSetting) {
    super(
      `${variable}=${port} is in use on ${host}. Stop the process that listens there, or set ${variable} to another port (0 takes a free one).`,
    );
    this.name = 'PortInUse';
  }
}

/** Listens. If the port is in use, the error names its setting. */
export const listenOrSay = async (listen: () => Promise<unknown>, setting: PortSetting): Promise<void> => {
  try {
    await listen();
  } catch (error) {
    throw (error as { code?: unknown }).code === 'EADDRINUSE' ? new PortInUse(setting) : error;
  }
};

/** Errors of Node and classes of SQLSTATE that say that a server cannot be reached, or refuses the login. */
const CANNOT_CONNECT = /^(E[A-Z_]+|08\w{3}|28\w{3}|3D000)$/;

/** Connects. If that fails, the error names the setting that holds the address. */
export const connectOrSay = async <T>(connect: () => Promise<T>, variable: string): Promise<T> => {
  try {
    return await connect();
  } catch (error) {
    const { code } = safeError(error);
    if (code === undefined || !CANNOT_CONNECT.test(code)) throw error;
    throw new Error(`The server of ${variable} cannot be used: ${errorLine(error)}`, { cause: error });
  }
};

/** Lines that explain why a process did not start: one, or one per invalid setting. */
export const startFailure = (service: string, error: unknown): string =>
  error instanceof InvalidSettings
    ? `${service} does not start:\n${error.problems.map(({ name, rule }) => `  ${name} ${rule}\n`).join('')}`
    : `${service} does not start: ${errorLine(error)}\n`;

/** Prints the reason to standard error without a stack trace and exits with code 1. */
export const failStart = (service: string, error: unknown): never => {
  process.stderr.write(startFailure(service, error));
  process.exit(1);
};

/** Node would print an uncaught error with all its properties, including statement parameters. */
export const crashOnUncaught = (logger: Logger): void => {
  for (const kind of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(kind, (error: unknown) => {
      logger.fatal({ err: error, kind }, 'process.crashed');
      process.exit(1);
    });
  }
};
