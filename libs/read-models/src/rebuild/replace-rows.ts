import type { Transaction } from '@turnkeeper/application';
import { rowsOf } from '../database.js';
import { managerOf } from '../unit-of-work.js';
import { isKept, rowText, type ComparedTable } from './compare.js';

/** Makes the rows of a table equal to those of its shadow. Rows that are equal already are not touched. */
export const replaceRows = async (
  tx: Transaction,
  table: ComparedTable,
  { live, shadow }: { readonly live: string; readonly shadow: string },
): Promise<void> => {
  const manager = managerOf(tx);
  const columns = table.columns.join(', ');
  const sameKey = table.key.map((column) => `s.${column} = t.${column}`).join(' and ');
  const sameRow = table.repair === 'update' ? 'true' : `${rowText(table, 's')} = ${rowText(table, 't')}`;
  await rowsOf(
    manager,
    `delete from ${live}.${table.name} t where ${isKept(table, live)}
        and not exists (select from ${shadow}.${table.name} s where ${sameKey} and ${sameRow})`,
  );
  const assignments = table.columns.map((column) => `${column} = excluded.${column}`).join(', ');
  const onConflict =
    table.repair === 'update'
      ? `on conflict (${table.key.join(', ')}) do update set ${assignments}
           where ${rowText(table, 't')} <> ${rowText(table, 'excluded')}`
      : '';
  const absent =
    table.repair === 'update' ? 'true' : `not exists (select from ${live}.${table.name} t where ${sameKey})`;
  await rowsOf(
    manager,
    `insert into ${live}.${table.name} as t (${columns})
     select ${columns} from ${shadow}.${table.name} s where ${absent} ${onConflict}`,
  );
};

/** New rows of running agents are checked soon, which finds what has happened since their start. */
export const watchIdleAgents = async (tx: Transaction, live: string): Promise<void> => {
  await rowsOf(
    managerOf(tx),
    `insert into ${live}.agent_idle_watches (agent_id, tenant_id, due_at)
     select agent_id, tenant_id, now() from ${live}.agents
      where status = 'RUNNING' and idle_timeout_seconds > 0 on conflict do nothing`,
  );
};
