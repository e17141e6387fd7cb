import { sleep } from '../../shared/wait.mjs';
import { signal } from '../site.mjs';

const FROZEN_MS = 15_000;

/**
 * What happens to the cluster, in order. `fault` resolves when the cluster serves again, `repair` when it can take the
 * next fault.
 *
 * @type {readonly { name: string, fault: (cluster: any) => Promise<any>, repair: (cluster: any, hit: any) => Promise<unknown> }[]}
 */
export const FAULTS = [
  {
    name: 'Postgres: planned switchover',
    fault: async ({ patroni }) => {
      const primary = await patroni.primary();
      await patroni.switchover();
      await patroni.replaced(primary);
    },
    repair: ({ patroni }) => patroni.healthy(),
  },
  {
    name: 'Postgres: primary killed with its Patroni',
    fault: async ({ patroni }) => {
      const primary = await patroni.primary();
      await patroni.kill(primary);
      await patroni.replaced(primary);
      return primary;
    },
    repair: async ({ patroni }, node) => {
      await patroni.startNode(node);
      await patroni.healthy();
    },
  },
  {
    name: 'Postgres: primary frozen with its Patroni until replaced',
    fault: async ({ patroni }) => {
      const primary = await patroni.primary();
      patroni.freeze(primary);
      await patroni.replaced(primary);
      await sleep(3_000); // the old primary resumes next to the new one
      patroni.freeze(primary, 'SIGCONT');
    },
    repair: ({ patroni }) => patroni.healthy(),
  },
  {
    name: 'Postgres: synchronous standby killed',
    fault: async ({ patroni }) => {
      const standby = await patroni.standby();
      await patroni.kill(standby);
      await sleep(20_000);
      return standby;
    },
    repair: async ({ patroni }, node) => {
      await patroni.startNode(node);
      await patroni.healthy();
    },
  },
  {
    name: 'etcd: leader killed',
    fault: async ({ patroni }) => {
      const leader = await patroni.etcdLeader();
      await kill(leader.launched);
      await sleep(15_000);
      return leader;
    },
    repair: ({ patroni }, member) => patroni.startEtcd(member),
  },
  {
    name: "NATS: the stream's leader killed",
    fault: async ({ nats }) => {
      const leader = await nats.leader();
      await kill(leader.launched);
      await nats.replaced(leader);
      return leader;
    },
    repair: async ({ nats }, server) => {
      await nats.startServer(server);
      await nats.healthy();
    },
  },
  {
    name: "NATS: the stream's leader frozen for 15 s",
    fault: async ({ nats }) => {
      const leader = await nats.leader();
      signal(leader.launched.pid, 'SIGSTOP');
      await sleep(FROZEN_MS);
      signal(leader.launched.pid, 'SIGCONT');
    },
    repair: ({ nats }) => nats.healthy(),
  },
  {
    name: 'Redis: master killed',
    fault: async ({ redis }) => {
      const master = await redis.master();
      await kill(master.launched);
      await redis.replaced(master);
      return master;
    },
    repair: async ({ redis }, server) => {
      await redis.launch(server);
      await redis.healthy();
    },
  },
];

const kill = async (launched) => {
  signal(launched.pid, 'SIGKILL');
  await launched.exited;
};
