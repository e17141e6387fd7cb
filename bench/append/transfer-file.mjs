import { randomUUID } from 'node:crypto';

const PER_SESSION = 100;

/** An exported memory with this many messages and records, as for a move to another installation. */
export const transferFile = ({ events, records }) => {
  const at = '2026-01-01T00:00:00.000Z';
  /** @type {object[]} */
  const lines = [
    { kind: 'memory', format: 1, memoryId: randomUUID(), name: 'beside', description: '', eventExpiryDuration: 30 },
  ];
  for (let n = 0; n < events; n += 1) {
    lines.push({
      kind: 'event',
      type: 'message.appended',
      actorId: 'crowd',
      sessionId: `session-${Math.floor(n / PER_SESSION)}`,
      eventId: randomUUID(),
      at,
      data: { payloadType: 'CONVERSATIONAL', role: 'user', content: `This is message ${n} of a memory that moves.` },
    });
  }
  for (let n = 0; n < records; n += 1) {
    lines.push({
      kind: 'record',
      recordId: randomUUID(),
      text: `The parcel ${n} is on its way.`,
      namespace: '/of/crowd',
      strategyId: null,
      strategyVersion: null,
      actorId: 'crowd',
      extractor: 'inserted',
      model: null,
      promptHash: null,
      slot: null,
      sources: [],
      statedAt: at,
      createdAt: at,
      updatedAt: at,
      supersededBy: null,
      validTo: null,
    });
  }
  lines.push({ kind: 'end', events, records });
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
};
