import { assertReaches, EventNotFound, redactDerived, type Reach } from '@turnkeeper/domain';
import { requireMemory } from '../memories/require-memory.js';
import type { SessionScope } from '../log/event-store.port.js';
import type { SessionDirectory } from '../sessions/session-directory.port.js';
import type { ErasureDeps } from './erase-sessions.js';
import { appendAboutErasure, appendsAboutRecords } from './erasure-appends.js';

/**
 * Deletes one event and the records based only on it. Its sequence number stays taken. Derived events are redacted in
 * place, so the session and the extracted ranges remain valid.
 */
export class EraseEvent {
  constructor(private readonly deps: ErasureDeps & { readonly directory: SessionDirectory }) {}

  async execute(reach: Reach, scope: SessionScope, eventId: string): Promise<void> {
    assertReaches(reach, scope);
    const { unitOfWork, memories, directory, erasure, recordWriter, personalRows } = this.deps;
    await requireMemory(memories, scope.tenantId, scope.memoryId);
    const { tenantId, memoryId, actorId } = scope;
    await unitOfWork.appendFor(tenantId, async (tx) => {
      const [sessionKey] = await erasure.lockSessions(tx, scope);
      const event = await directory.findEvent(scope, eventId);
      const erasable = event?.type === 'message.appended' || event?.type === 'binary.appended';
      if (!erasable || event.sequence === null || event.sessionKey !== sessionKey) throw new EventNotFound();
      for (const namespace of await recordWriter.namespacesOfEvent(tx, tenantId, eventId)) {
        await recordWriter.lockNamespace(tx, memoryId, namespace);
      }
      await personalRows.forgetCopies(tx, tenantId, sessionKey);
      const erased = await recordWriter.eraseEvent(tx, tenantId, eventId);
      const redaction = {
        eventIds: new Set([eventId]),
        withdrawn: new Set(erased.withdrawn),
        carried: new Set<string>(),
      };
      const sequences = { from: event.sequence, through: event.sequence };
      for (const extraction of await erasure.extractionsOf(tx, { tenantId, sessionKey }, sequences)) {
        const data = redactDerived(extraction, redaction);
        if (data !== null) await erasure.redact(tx, extraction, data);
      }
      await erasure.eraseEvent(tx, event);
      const place = { tenantId, memoryId, actorId };
      const recordRequests = await appendsAboutRecords(this.deps, tx, place, erased, 'source_erased', [sessionKey]);
      const erasedEvent = appendAboutErasure(this.deps, scope, {
        target: 'event',
        sessionKeys: [],
        position: event.position,
        withdrawnRecords: erased.withdrawn.length,
      });
      return { append: [...recordRequests, erasedEvent], result: () => undefined };
    });
  }
}
