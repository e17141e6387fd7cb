import { httpFailure } from './http-failure.js';

/** This process is shutting down; another one or its successor can answer. */
export class ServerStopping extends httpFailure('server.stopping', 'This server is stopping.') {}
