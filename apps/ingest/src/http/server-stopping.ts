/** This process is about to end; another one, or its successor, can answer. */
export class ServerStopping extends Error {
  readonly code = 'server.stopping';
  constructor() {
    super('This server is stopping.');
    this.name = 'ServerStopping';
  }
}
