import { chownSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseStat } from '../../shared/process-identity.mjs';
import { until } from '../../shared/wait.mjs';
import { debianPostgres, program } from '../programs.mjs';
import { postgresPid, signal } from '../site.mjs';

/** Seconds; the lowest time to live that Patroni accepts. */
export const TIMES = { ttl: 20, loop_wait: 5, retry_timeout: 5 };

/** Two Postgres servers with synchronous replication, each with a Patroni, and three etcd that elect the primary. */
export class PatroniCluster {
  constructor(site, password) {
    this.site = site;
    this.password = password;
    this.nodes = ['a', 'b'].map((name) => ({
      name,
      port: site.ports[`postgres-${name}`],
      rest: site.ports[`patroni-${name}`],
      data: join(site.base, name),
    }));
    this.etcd = ['1', '2', '3'].map((name) => ({
      name: `etcd-${name}`,
      port: site.ports[`etcd-${name}`],
      peer: site.ports[`etcd-peer-${name}`],
    }));
  }

  static ports = [
    ...['a', 'b'].flatMap((name) => [`postgres-${name}`, `patroni-${name}`]),
    ...['1', '2', '3'].flatMap((name) => [`etcd-${name}`, `etcd-peer-${name}`]),
  ];

  async start() {
    this.binaries = await debianPostgres();
    await program('patroni');
    await program('etcd', 'etcd-server');
    await Promise.all(this.etcd.map((member) => this.startEtcd(member)));
    for (const node of this.nodes) await this.startNode(node);
    await this.healthy();
  }

  async startEtcd(member) {
    const url = (port) => `http://127.0.0.1:${port}`;
    const options = {
      name: member.name,
      'data-dir': join(this.site.system.folder, member.name),
      'listen-client-urls': url(member.port),
      'advertise-client-urls': url(member.port),
      'listen-peer-urls': url(member.peer),
      'initial-advertise-peer-urls': url(member.peer),
      'initial-cluster': this.etcd.map(({ name, peer }) => `${name}=${url(peer)}`).join(','),
      'heartbeat-interval': '200',
      'election-timeout': '2000',
      'enable-v2': 'true',
    };
    member.launched = await this.site.launch({
      name: member.name,
      command: await program('etcd', 'etcd-server'),
      args: Object.entries(options).map(([name, value]) => `--${name}=${value}`),
      ready: async () => (await json(`${url(member.port)}/health`))?.health === 'true',
    });
  }

  async startNode(node) {
    const file = join(this.site.base, `${node.name}.json`); // YAML includes JSON
    writeFileSync(file, JSON.stringify(this.configOf(node)), { mode: 0o600 });
    if (this.site.owner) chownSync(file, this.site.owner.uid, this.site.owner.gid);
    node.launched = await this.site.launch({
      name: `patroni-${node.name}`,
      command: await program('patroni'),
      args: [file],
      asPostgres: true,
      env: { PATH: process.env.PATH, HOME: this.site.base, LC_ALL: 'C.UTF-8' },
      ready: async () => (await this.status(node))?.state === 'running',
      timeoutMs: 120_000,
    });
  }

  configOf(node) {
    const login = (username) => ({ username, password: this.password });
    return {
      scope: 'turnkeeper',
      name: node.name,
      restapi: { listen: `127.0.0.1:${node.rest}`, connect_address: `127.0.0.1:${node.rest}` },
      // Version 2 of the interface: with version 3, Patroni before 3.0.3 takes the leader key back from its successor
      // when a frozen primary resumes (its pull request 2689), and what the successor acknowledged is lost.
      etcd: { hosts: this.etcd.map(({ port }) => `127.0.0.1:${port}`) },
      bootstrap: {
        dcs: {
          ...TIMES,
          // Names the synchronous standby, and promotes no other server.
          synchronous_mode: true,
          // Fails over at once if Postgres itself crashes.
          master_start_timeout: 0,
          postgresql: {
            use_pg_rewind: true,
            parameters: { max_connections: 300, synchronous_commit: 'on', wal_keep_size: '512MB' },
          },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      },
      postgresql: {
        listen: `127.0.0.1:${node.port}`,
        connect_address: `127.0.0.1:${node.port}`,
        data_dir: node.data,
        bin_dir: this.binaries,
        pgpass: join(this.site.base, `${node.name}.pgpass`),
        authentication: {
          superuser: login('postgres'),
          replication: login('replicator'),
          rewind: login('rewinder'),
        },
        pg_hba: ['host replication replicator 127.0.0.1/32 scram-sha-256', 'host all all 127.0.0.1/32 scram-sha-256'],
        parameters: { unix_socket_directories: '', password_encryption: 'scram-sha-256' },
      },
    };
  }

  /** What Patroni says about its server; undefined if it does not answer. */
  status(node) {
    return json(`http://127.0.0.1:${node.rest}/patroni`);
  }

  async primary() {
    const statuses = await Promise.all(this.nodes.map((node) => this.status(node)));
    return this.nodes.find((_, index) => statuses[index]?.role === 'master' && statuses[index].state === 'running');
  }

  async standby() {
    const primary = await this.primary();
    return this.nodes.find((node) => node !== primary);
  }

  /** Waits until a server other than this one is the primary. */
  replaced(node) {
    const changed = async () => {
      const primary = await this.primary();
      return primary !== undefined && primary !== node;
    };
    return until('a new primary', changed, { timeoutMs: 120_000, everyMs: 200 });
  }

  /** Waits until there is a primary with a synchronous standby. */
  healthy() {
    const both = async () => {
      const primary = await this.primary();
      const replication = primary && (await this.status(primary)).replication;
      return replication?.some(({ sync_state: state }) => state === 'sync');
    };
    return until('a synchronous standby', both, { timeoutMs: 180_000, everyMs: 500 });
  }

  async switchover() {
    const [leader, candidate] = [await this.primary(), await this.standby()];
    if (!leader || !candidate) throw new Error('switchover: there is no primary with a standby.');
    const response = await fetch(`http://127.0.0.1:${leader.rest}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: leader.name, candidate: candidate.name }),
    });
    if (!response.ok) throw new Error(`switchover: ${response.status} ${await response.text()}`);
  }

  /** Ends the server and its Patroni like a power cut. */
  async kill(node) {
    const pid = postgresPid(node.data);
    signal(node.launched.pid, 'SIGKILL');
    if (pid !== undefined) for (const each of [pid, ...childrenOf(pid)]) signal(each, 'SIGKILL');
    await node.launched.exited;
  }

  /** Stops or continues the server, all its sessions and its Patroni. */
  freeze(node, name = 'SIGSTOP') {
    const pid = postgresPid(node.data);
    for (const each of [node.launched.pid, ...childrenOf(node.launched.pid), pid, ...childrenOf(pid)])
      signal(each, name);
  }

  async etcdLeader() {
    for (const member of this.etcd) {
      const status = await json(`http://127.0.0.1:${member.port}/v3/maintenance/status`, {
        method: 'POST',
        body: '{}',
      });
      if (status && status.leader === status.header.member_id) return member;
    }
    return undefined;
  }
}

/** Pids of the processes that this one started. */
const childrenOf = (parent) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);

const parentOf = (pid) => {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8')).parent;
  } catch {
    return undefined; // ended meanwhile
  }
};

const json = async (url, options = {}) => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000), ...options });
    return await response.json();
  } catch {
    return undefined;
  }
};
