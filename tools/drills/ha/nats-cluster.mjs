import { join } from 'node:path';
import { connect } from 'nats';
import { writePrivately } from '../../shared/json-file.mjs';
import { firstWords, until } from '../../shared/wait.mjs';
import { program } from '../programs.mjs';

const NAMES = ['nats-1', 'nats-2', 'nats-3'];

/** Three NATS servers that form one cluster with JetStream. */
export class NatsCluster {
  static ports = NAMES.flatMap((name) => [name, `${name}-route`]);

  constructor(site, password) {
    this.site = site;
    this.password = password;
    this.servers = NAMES.map((name) => ({ name, port: site.ports[name], route: site.ports[`${name}-route`] }));
  }

  get url() {
    return this.servers.map(({ port }) => `nats://turnkeeper:${this.password}@127.0.0.1:${port}`).join(',');
  }

  async start() {
    await Promise.all(this.servers.map((server) => this.startServer(server)));
    await this.manage((streams) => streams.list().next());
  }

  async startServer(server) {
    const config = join(this.site.system.folder, `${server.name}.conf`);
    const routes = this.servers.map(({ route }) => `nats-route://127.0.0.1:${route}`).join(', ');
    writePrivately(
      config,
      `server_name: ${server.name}
listen: 127.0.0.1:${server.port}
authorization { user: "turnkeeper", password: "${this.password}" }
jetstream { store_dir: "${join(this.site.system.folder, server.name)}" }
cluster { name: drill, listen: 127.0.0.1:${server.route}, routes: [${routes}] }
`,
    );
    server.launched = await this.site.launch({
      name: server.name,
      command: await program('nats-server'),
      args: ['--config', config],
      ready: async () => ((await firstWords(server.port)) ?? '').startsWith('INFO'),
    });
  }

  /** Calls the stream API once the cluster answers it. */
  async manage(work) {
    let result;
    const answered = async () => {
      const servers = this.servers.map(({ port }) => `127.0.0.1:${port}`);
      const nats = await connect({ servers, user: 'turnkeeper', pass: this.password, timeout: 2_000 }).catch(
        () => null,
      );
      if (nats === null) return false;
      try {
        result = await work((await nats.jetstreamManager({ timeout: 2_000 })).streams);
        return true;
      } catch {
        return false; // no leader yet
      } finally {
        await nats.close();
      }
    };
    await until('JetStream', answered, { timeoutMs: 60_000, everyMs: 200 });
    return result;
  }

  async stream() {
    const { cluster, config, state } = await this.manage((streams) => streams.info('TURNKEEPER_EVENTS'));
    const current = (cluster?.replicas ?? []).filter((replica) => replica.current && !replica.offline).length;
    return { leader: cluster?.leader, current, replicas: config.num_replicas, messages: state.messages };
  }

  async leader() {
    const { leader } = await this.stream();
    return this.servers.find(({ name }) => name === leader);
  }

  /** Waits until the stream has a leader other than this server. */
  replaced(server) {
    return until('a new leader of the stream', async () => {
      const { leader } = await this.stream();
      return leader && leader !== server.name;
    });
  }

  /** Waits until both other replicas are current. */
  healthy() {
    return until('all replicas', async () => (await this.stream()).current === 2, { timeoutMs: 120_000, everyMs: 500 });
  }
}
