import {
  contextBlock,
  isAssistantRole,
  isUserRole,
  statementsIn,
  type ContextBlock,
  type ContextItem,
  type LogEvent,
} from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { readableMessages } from '../extraction/window.js';
import { requireMemory } from '../memories/require-memory.js';
import type { RecordView } from '../records/record-reader.port.js';
import { RecallRecords, withNewest, type RecallScope } from './recall-records.js';

/** Maximum matching turns and records read; a budget holds fewer. */
const MOST_TURNS = 60;
const MOST_RECORDS = 40;
/** Newest turns and records, used after the matches or without a query. */
const NEWEST_TURNS = 12;
const NEWEST_RECORDS = 20;
/** Sessions searched for the newest turns. */
const MAX_SESSIONS = 5;
/** A record carries less detail than the turn itself, so a turn wins a tie. */
const RECORD_FACTOR = 0.75;

type Deps = Pick<Ports, 'memories' | 'records' | 'turns' | 'eventStore' | 'rollingMemory' | 'tokens'>;

interface ScoredItem {
  readonly item: ContextItem;
  readonly score: number;
}

/** Builds a context block of earlier conversations for a model: the best turns and records within a token budget. */
export class BuildContext {
  private readonly recall: RecallRecords;

  constructor(private readonly deps: Deps) {
    this.recall = new RecallRecords(deps);
  }

  /**
   * @param words the user's message or question; without words or matches, the block holds the newest turns and records,
   *   and both if no match is likely to be wanted
   * @param budget maximum number of tokens of the block
   */
  async execute(scope: RecallScope, words: string, budget: number): Promise<ContextBlock> {
    const { memories, tokens } = this.deps;
    await requireMemory(memories, scope.tenantId, scope.memoryId);
    const [matches, newest] = await Promise.all([
      words.trim() === '' ? [] : this.matches(scope, words),
      this.newest(scope),
    ]);
    const items = matches.map(({ item }) => item);
    const ranked = [...withNewest(items, matches[0]?.score ?? 0, newest), ...newest];
    return contextBlock(ranked, budget, (text) => tokens.count(text));
  }

  private async matches(scope: RecallScope, words: string): Promise<ScoredItem[]> {
    const { tenantId, memoryId, actorId } = scope;
    const [hits, records] = await Promise.all([
      this.deps.turns.search(
        { tenantId, memoryId, actorId },
        { text: words, limit: MOST_TURNS, scoreThreshold: 0, window: 0 },
      ),
      this.recall.best(scope, words, MOST_RECORDS),
    ]);
    const ranked = [
      ...hits.map(({ event, score }) => ({ item: turnItem(event), score })),
      ...records.map((record) => ({ item: recordItem(record), score: record.score * RECORD_FACTOR })),
    ];
    return ranked.sort((a, b) => b.score - a.score);
  }

  private async newest(scope: RecallScope): Promise<ContextItem[]> {
    const [turns, records] = await Promise.all([this.newestTurns(scope), this.recall.newest(scope, NEWEST_RECORDS)]);
    return [...records.map(recordItem), ...turns];
  }

  private async newestTurns(scope: RecallScope): Promise<ContextItem[]> {
    const { eventStore, rollingMemory } = this.deps;
    const { tenantId, memoryId, actorId } = scope;
    const found: ContextItem[] = [];
    for (const sessionId of await rollingMemory.recentSessions({ tenantId, memoryId, actorId }, MAX_SESSIONS)) {
      const events = await eventStore.readSession(
        { tenantId, memoryId, actorId, sessionId },
        { types: ['message.appended'], order: 'newest-first', limit: NEWEST_TURNS - found.length },
      );
      const readable = new Set(readableMessages([...events].reverse()).map(({ eventId }) => eventId));
      for (const event of events as LogEvent<'message.appended'>[]) {
        const { role } = event.data;
        const isSpoken = isUserRole(role) || isAssistantRole(role);
        if (isSpoken && readable.has(event.eventId)) found.push(turnItem(event));
      }
      if (found.length >= NEWEST_TURNS) break;
    }
    return found;
  }
}

const turnItem = (event: LogEvent<'message.appended'>): ContextItem => {
  const { role, content, metadata } = event.data;
  const speaker = metadata?.['speaker'] ?? metadata?.['user'];
  const caption = metadata?.['imageCaption'];
  return {
    ...{ kind: 'turn', id: event.eventId, eventIds: [event.eventId] },
    text: typeof caption === 'string' ? `${content} [shows ${caption}]` : content,
    at: event.occurredAt ?? event.recordedAt,
    side: isUserRole(role) ? 'user' : 'assistant',
    speaker: typeof speaker === 'string' && speaker !== '' ? speaker : null,
  };
};

const recordItem = (record: RecordView): ContextItem => {
  const statements = statementsIn(record.sources);
  return {
    ...{ kind: 'record', id: record.recordId, text: record.text, at: record.saidAt, speaker: null },
    side: statements.length > 0 && statements.every(({ role }) => isAssistantRole(role)) ? 'assistant' : 'user',
    eventIds: statements.map(({ eventId }) => eventId),
  };
};
