import type { EventNotice, EventReference, LogReference } from '@turnkeeper/application';

/** One notice per memory with its events in log order; memories in order of their first event. */
export const noticesOf = (page: readonly LogReference[]): EventNotice[] => {
  const byMemory = new Map<string, { tenantId: string; memoryId: string; events: EventReference[] }>();
  for (const { tenantId, memoryId, position, eventId, type, sessionKey, sequence } of page) {
    let notice = byMemory.get(memoryId);
    if (notice === undefined) {
      notice = { tenantId, memoryId, events: [] };
      byMemory.set(memoryId, notice);
    }
    notice.events.push({ position, eventId, type, sessionKey, sequence });
  }
  return [...byMemory.values()];
};
