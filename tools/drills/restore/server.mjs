import { appendFileSync, chownSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { postgresUrl } from '../../servers/postgres.mjs';
import { runOrThrow } from '../../shared/command.mjs';
import { until } from '../../shared/wait.mjs';
import { debianPostgres } from '../programs.mjs';

const postgresPrograms = async () => {
  const folder = await debianPostgres();
  if (folder === undefined) throw new Error('Debian has no package of Postgres here.');
  return folder;
};

/** A Postgres that archives its WAL, as docs/operate/backup.md sets it up. */
export class ArchivingServer {
  /** @type {string} folder of the archived WAL, from `create` on */
  archive;

  constructor(site, { name, port, password }) {
    this.site = site;
    this.name = name;
    this.port = port;
    this.password = password;
    this.data = join(site.base, name);
  }

  get adminUrl() {
    return postgresUrl(this.port, this.password, 'postgres');
  }

  url(database) {
    return postgresUrl(this.port, this.password, database);
  }

  async create() {
    const { site, data } = this;
    site.postgresFolder(this.name);
    this.archive = site.postgresFolder('wal');
    const passwordFile = join(site.base, 'password');
    writeFileSync(passwordFile, `${this.password}\n`);
    if (site.owner) chownSync(passwordFile, site.owner.uid, site.owner.gid);
    const access = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    await this.run('initdb', ['-D', data, ...access, '--encoding=UTF8', '--locale=C.UTF-8']);
    appendFileSync(
      join(data, 'postgresql.conf'),
      `archive_mode = on
archive_command = 'test ! -f ${this.archive}/%f && cp %p ${this.archive}/%f'
max_connections = 300
max_wal_size = '4GB'
`,
    );
    await this.start();
  }

  async start() {
    const settings = { listen_addresses: '127.0.0.1', port: this.port, unix_socket_directories: '' };
    this.launched = await this.site.launch({
      name: this.name,
      command: join(await postgresPrograms(), 'postgres'),
      args: ['-D', this.data, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
      asPostgres: true,
      stopSignal: 'SIGINT',
      ready: () =>
        this.query('select 1').then(
          () => true,
          () => false,
        ),
      // A restored server replays its WAL first.
      timeoutMs: 1_800_000,
    });
  }

  async query(text, database = 'postgres') {
    const client = new pg.Client({ connectionString: this.url(database) });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** `pg_basebackup`; returns its folder. */
  async baseBackup() {
    const folder = this.site.postgresFolder('base');
    const from = ['--host=127.0.0.1', `--port=${this.port}`, '--username=postgres'];
    await this.run('pg_basebackup', [...from, `--pgdata=${folder}`, '--wal-method=stream', '--checkpoint=fast'], {
      PGPASSWORD: this.password,
    });
    return folder;
  }

  /** Waits until everything written so far is in the archive. */
  async archived() {
    const [{ file }] = await this.query('select pg_walfile_name(pg_switch_wal()) as file');
    await until('the archive', () => existsSync(join(this.archive, file)), { timeoutMs: 300_000 });
  }

  /** A second server from a base backup and this server's archive, as it was at a time. */
  async restoredTo(time, { base, name, port }) {
    const restored = new ArchivingServer(this.site, { name, port, password: this.password });
    this.site.postgresFolder(name);
    await runOrThrow('cp', ['-a', `${base}/.`, restored.data]);
    appendFileSync(
      join(restored.data, 'postgresql.conf'),
      `archive_mode = off
restore_command = 'cp ${this.archive}/%f %p'
recovery_target_time = '${time}'
recovery_target_action = 'promote'
`,
    );
    const signalFile = join(restored.data, 'recovery.signal');
    writeFileSync(signalFile, '');
    if (this.site.owner) chownSync(signalFile, this.site.owner.uid, this.site.owner.gid);
    await restored.start();
    await until(
      'the end of the recovery',
      async () => {
        const [{ recovering }] = await restored.query('select pg_is_in_recovery() as recovering');
        return !recovering;
      },
      { timeoutMs: 1_800_000 },
    );
    return restored;
  }

  async run(name, args, env = {}) {
    await runOrThrow(join(await postgresPrograms(), name), args, {
      ...this.site.owner,
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...env },
    });
  }
}

/** Bytes of a folder's files. */
export const sizeOf = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0);
