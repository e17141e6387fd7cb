/** This process is shutting down; another one or its successor can answer. */
export class ServerStopping extends Error {
  readonly code = 'server.stopping';
  constructor() {
    super('This server is stopping.');
    this.name = 'ServerStopping';
  }
}
