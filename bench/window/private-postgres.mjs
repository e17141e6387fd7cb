import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { localSystem } from '../../tools/dev/state.mjs';
import { stopProcesses } from '../../tools/dev/stop-everything.mjs';
import { postgresBinaries } from '../../tools/servers/postgres-binaries.mjs';
import { dataFolder, postgresOwner } from '../../tools/servers/postgres-owner.mjs';
import { ensureDatabase, postgresUrl, startPostgres } from '../../tools/servers/postgres.mjs';
import { choosePorts } from '../../tools/shared/ports.mjs';
import { ownIdentity } from '../../tools/shared/process-identity.mjs';
import { workspaceRoot } from '../../tools/shared/workspace.mjs';

/** A bench's own Postgres, with throwaway data and without durable commits: only reads are measured. */
export class PrivatePostgres {
  constructor(name) {
    this.system = localSystem(join(workspaceRoot, 'tmp', name));
  }

  async start() {
    const { system } = this;
    if (system.launcherRunning()) throw new Error('Another bench is running in this folder.');
    await stopProcesses(system); // of a run that was killed
    this.removeData();
    mkdirSync(system.logs, { recursive: true });
    system.change({ launcher: ownIdentity() });
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
    await stopProcesses(this.system);
    this.removeData();
  }

  removeData() {
    for (const folder of [...(this.system.read().outside ?? []), this.system.folder]) {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
