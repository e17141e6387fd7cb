import type { PersonalRows } from '../erasure/personal-rows.port.js';
import { changeMemory, type MemoryChangeDeps } from './change-memory.js';

/**
 * Deletes a memory. Its data is unreadable when this resolves, and is purged soon after by the worker's sweep
 * (`FinishErasures`).
 */
export class DeleteMemory {
  constructor(private readonly deps: MemoryChangeDeps & { readonly personalRows: PersonalRows }) {}

  async execute(tenantId: string, memoryId: string): Promise<void> {
    await changeMemory(this.deps, tenantId, memoryId, async (_memory, tx) => {
      // Agents and deliveries about them can be looked up by their own ids, so they must be deleted now.
      await this.deps.personalRows.eraseAgents(tx, { tenantId, memoryId });
      return [['memory.deleted', {}]];
    });
  }
}
