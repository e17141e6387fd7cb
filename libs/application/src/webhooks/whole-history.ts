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

/** All that an agent heard and said, as it stands, oldest first; however much that is. */
export const wholeHistoryOf = async (eventStore: EventStore, agent: Agent): Promise<LogEvent<'message.appended'>[]> => {
  const events: LogEvent[] = [];
  const end = (agent.stoppedSequence ?? Number.MAX_SAFE_INTEGER - 1) + 1;
  for (let after = agent.startedSequence; ;) {
    const page = await eventStore.readSession(agent, {
      after,
      before: end,
      types: MESSAGE_EVENT_TYPES,
      order: 'oldest-first',
      limit: PAGE,
    });
    events.push(...page);
    // Folded: a message that was cut short later is told as it was heard.
    if (page.length < PAGE) return messagesOfAgent(agent, foldMessages(events, everything));
    after = page.at(-1)?.sequence ?? end;
  }
};
