import type { HealthCheck } from './http/health.js';
import type { Logger } from './logger.js';

/** Names the database settings that void the durability of commits. */
export interface CommittingStore {
  readonly settingsThatLoseCommits: () => Promise<readonly string[]>;
}

type Mode = 'required' | 'off';

/** The database may lose committed data. */
export class CommitsNotDurable extends Error {
  readonly code = 'database.not_durable';
  constructor(settings: readonly string[]) {
    super(
      `Postgres may lose acknowledged writes: ${settings.join(', ')} must not be off, also not as a default of the role or the database. Turn it on, or set DURABLE_COMMITS=off to start anyway.`,
    );
    this.name = 'CommitsNotDurable';
  }
}

/** Rejects with `CommitsNotDurable` if durable commits are required; logs a warning if they are not. */
export const requireDurableCommits = async (store: CommittingStore, mode: Mode, logger: Logger): Promise<void> => {
  const settings = await store.settingsThatLoseCommits();
  if (settings.length === 0) return;
  if (mode === 'required') throw new CommitsNotDurable(settings);
  logger.warn({ settings }, 'database.commits_not_durable');
};

/** The same check for `/readyz`: down while commits may be lost. */
export const durabilityCheck = (store: CommittingStore, mode: Mode): HealthCheck => ({
  name: 'durable_commits',
  required: mode === 'required',
  check: async () => {
    const settings = await store.settingsThatLoseCommits();
    if (settings.length > 0) throw new CommitsNotDurable(settings);
  },
});
