import type { DataSource } from 'typeorm';
import { sqlOf } from '../connections/sql.js';

/** Number of applied migrations, and the name of the newest one. */
export const appliedMigrations = async (
  dataSource: DataSource,
): Promise<{ readonly applied: number; readonly newest: string } | undefined> => {
  const [migrations] = await sqlOf<{ applied: number; newest: string }>(dataSource)`
    select applied, newest from applied_migrations()`;
  return migrations;
};
