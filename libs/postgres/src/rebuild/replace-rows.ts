import type { Transaction } from '@turnkeeper/application';
import { rowsOf } from '../connections/database.js';
import { managerOf } from '../connections/unit-of-work.js';
import { isKept, rowText, type ComparedTable } from './compare.js';

/** Makes the rows of a table equal to its shadow. Does not touch rows that are already equal. */
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

/** Schedules an early check for new rows of running agents, which picks up what has happened since they started. */
export const watchIdleAgents = async (tx: Transaction, live: string): Promise<void> => {
  await rowsOf(
    managerOf(tx),
    `insert into ${live}.agent_idle_watches (agent_id, tenant_id, due_at)
     select agent_id, tenant_id, now() from ${live}.agents
      where status = 'RUNNING' and idle_timeout_seconds > 0 on conflict do nothing`,
  );
};
