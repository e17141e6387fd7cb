import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { compile } from '../../tools/dev/build.mjs';
import { scratchSystem } from '../../tools/dev/scratch-system.mjs';
import { postgresBinaries } from '../../tools/servers/postgres-binaries.mjs';
import { dataFolder, postgresOwner } from '../../tools/servers/postgres-owner.mjs';
import { ensureDatabase, postgresUrl, startPostgres } from '../../tools/servers/postgres.mjs';
import { choosePorts } from '../../tools/shared/ports.mjs';
import { step } from '../../tools/shared/steps.mjs';

/** A bench's own Postgres, with throwaway data and without durable commits: only reads are measured. */
export class PrivatePostgres {
  constructor(name) {
    this.system = scratchSystem(name);
  }

  async start() {
    await this.system.claim();
    await step(
      'build',
      () => compile(['libs/postgres']),
      () => 'compiled',
    );
    await step(
      'postgres',
      () => this.startServer(),
      () => 'its own, without durable commits',
    );
  }

  async startServer() {
    const { system } = this;
    const owner = postgresOwner();
    this.data = dataFolder(system.folder, owner);
    if (!this.data.startsWith(system.folder)) system.change({ outside: [this.data] });
    const { postgres: port } = await choosePorts(['postgres']);
    this.password = randomBytes(16).toString('hex');
    this.port = port;
    const binaries = await postgresBinaries(owner);
    if (!binaries) throw new Error('The npm package of Postgres has no binaries for this platform.');
    await startPostgres({
      binaries,
      data: this.data,
      owner,
      port,
      password: this.password,
      logFile: join(system.logs, 'postgres.log'),
      durable: false,
      record: system.record,
    });
  }

  /** The URL of a database created for it. */
  async database(name) {
    await ensureDatabase(postgresUrl(this.port, this.password, 'postgres'), name);
    return postgresUrl(this.port, this.password, name);
  }

  async stop() {
    await this.system.stop();
    this.system.removeData();
  }
}
