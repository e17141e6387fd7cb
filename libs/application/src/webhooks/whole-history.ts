import {
  everything,
  foldMessages,
  MESSAGE_EVENT_TYPES,
  messagesOfAgent,
  type Agent,
  type LogEvent,
} from '@turnkeeper/domain';
import type { EventStore } from '../ports/event-store.port.js';

/** Most events of one page while an agent's history is read. */
const PAGE = 1_000;
/** And most bytes: rows are held twice while a page is read. */
const PAGE_BYTES = 4 * 1_048_576;

/** All that an agent heard and said, as it stands, oldest first; however much that is. */
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
    // Folded: a message that was cut short later is told as it was heard.
    if (!page.more) return messagesOfAgent(agent, foldMessages(events, everything));
    after = page.events.at(-1)?.sequence ?? end;
  }
};
