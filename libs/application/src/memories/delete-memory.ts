import type { PersonalRows } from '../ports/personal-rows.port.js';
import { changeMemory, type MemoryChangeDeps } from './change-memory.js';

/**
 * Deletes a memory: nothing of it is readable when this resolves. What it held is purged soon after, by the worker's
 * sweep (`FinishErasures`).
 */
export class DeleteMemory {
  constructor(private readonly deps: MemoryChangeDeps & { readonly personalRows: PersonalRows }) {}

  async execute(tenantId: string, memoryId: string): Promise<void> {
    await changeMemory(this.deps, tenantId, memoryId, async (_memory, tx) => {
      // Agents and what waits to be sent about them are found by their own ids, so they go now.
      await this.deps.personalRows.eraseAgents(tx, { tenantId, memoryId });
      return [['memory.deleted', {}]];
    });
  }
}
