import { describe, expect, it, vi } from 'vitest';
import { CommitsNotDurable, durabilityCheck, requireDurableCommits } from './durable-commits.js';
import type { Logger } from './logger.js';

const store = (...settings: string[]) => ({ settingsThatLoseCommits: () => Promise.resolve(settings) });

describe('durable commits', () => {
  const warn = vi.fn();
  const logger = { warn } as unknown as Logger;

  it('are required to start unless a setting disables the check', async () => {
    await requireDurableCommits(store(), 'required', logger);
    expect(warn).not.toHaveBeenCalled();
    await expect(requireDurableCommits(store('fsync'), 'required', logger)).rejects.toThrow(CommitsNotDurable);
    await requireDurableCommits(store('fsync', 'synchronous_commit'), 'off', logger);
    expect(warn).toHaveBeenCalledWith({ settings: ['fsync', 'synchronous_commit'] }, 'database.commits_not_durable');
  });

  it('are checked on every probe', async () => {
    const required = durabilityCheck(store('synchronous_commit'), 'required');
    expect(required).toMatchObject({ name: 'durable_commits', required: true });
    await expect(required.check()).rejects.toThrow('synchronous_commit');
    expect(durabilityCheck(store(), 'off')).toMatchObject({ required: false });
    await durabilityCheck(store(), 'required').check();
  });
});
