import {
  everything,
  foldMessages,
  MESSAGE_EVENT_TYPES,
  messagesOfAgent,
  type Agent,
  type LogEvent,
} from '@turnkeeper/domain';
import type { EventStore } from '../log/event-store.port.js';

/** Maximum events per page when reading an agent's history. */
const PAGE = 1_000;
/** Maximum bytes per page: rows are in memory twice while a page is read. */
const PAGE_BYTES = 4 * 1_048_576;

/** All messages of an agent in their current state, oldest first. Not limited in size. */
export const wholeHistoryOf = async (eventStore: EventStore, agent: Agent): Promise<LogEvent<'message.appended'>[]> => {
  const events: LogEvent[] = [];
  const end = (agent.stoppedSequence ?? Number.MAX_SAFE_INTEGER - 1) + 1;
  for (let after = agent.startedSequence; ;) {
    const page = await eventStore.readSessionPage(agent, {
      after,
      before: end,
      types: MESSAGE_EVENT_TYPES,
      order: 'oldest-first',
      limit: PAGE,
      maxBytes: PAGE_BYTES,
    });
    events.push(...page.events);
    if (!page.more) return messagesOfAgent(agent, foldMessages(events, everything));
    after = page.events.at(-1)?.sequence ?? end;
  }
};
