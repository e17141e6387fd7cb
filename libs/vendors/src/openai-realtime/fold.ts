import {
  CallSession,
  commitOnly,
  endOfCall,
  factOf,
  placeOfCall,
  startOfCall,
  type CallNotice,
  type CallWork,
  type Ending,
  type FoldDeps,
} from '@turnkeeper/application';
import { NoticeUnreadable, type Agent, type NewEvent } from '@turnkeeper/domain';
import { jsonOrUndefined } from '../shared/exact-json.js';
import { textOf, withoutNul } from '../shared/notice-text.js';
import { planRealtimeCall, type ReceivedEvent } from './conversation.js';
import { realtimeNotice, type RealtimeNotice } from './shapes.js';

type Read = ReceivedEvent & Omit<RealtimeNotice, 'event'>;

const readNotice = ({ noticeKey, receivedAt, body }: CallNotice): Read => {
  const parsed = realtimeNotice.safeParse(withoutNul(jsonOrUndefined(textOf(body))));
  if (!parsed.success) throw new NoticeUnreadable();
  return { key: noticeKey, receivedAt, ...parsed.data };
};

/** Events of one request are received in the same millisecond. */
const inOrder = (read: readonly Read[]): Read[] =>
  read.toSorted((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime() || a.index - b.index);

/**
 * The agent of a call, and the name from which the ids of its events are derived. The name was the call's id alone before
 * calls were told apart by their user: a call that began then keeps it, so that it has one agent, and repeats are known.
 */
const agentOfCall = async (
  { agents, ids }: FoldDeps,
  { tx, connector: { tenantId, connectorId }, claim: { callKey } }: CallWork,
  { callId = callKey, actorId, sessionId }: Read,
): Promise<{ readonly agent: Agent | null; readonly agentId: string; readonly name: string }> => {
  const find = async (name: string) => {
    const agentId = ids.derive('openai realtime call', connectorId, name, 'agent');
    return { agent: await agents.findForUpdate(tx, tenantId, agentId), agentId, name };
  };
  const found = await find(callKey);
  if (found.agent !== null) return found;
  const earlier = await find(callId);
  return earlier.agent?.actorId === actorId && earlier.agent.sessionId === sessionId ? earlier : found;
};

/** Folds the pending server events of a call into its session. */
export const foldRealtimeCall = async (deps: FoldDeps, work: CallWork): Promise<Ending<void>> => {
  const { notices, ids, clock } = deps;
  const { tx, connector, claim } = work;
  const read = inOrder((await notices.noticesOf(tx, claim)).map(readNotice));
  const [first] = read;
  if (first === undefined) {
    await notices.finishCall(tx, claim, { at: null, settledRound: null, place: null });
    return commitOnly(undefined);
  }

  const { agent, agentId, name } = await agentOfCall(deps, work, first);
  const idOf = (...parts: string[]): string =>
    ids.derive('openai realtime call', connector.connectorId, name, ...parts);
  const place = placeOfCall(agent ?? first);
  const session = new CallSession(deps, connector.tenantId, connector.memoryId, place, agent);
  const held = new Set(agent === null ? [] : (await session.heldMessages()).map(({ eventId }) => eventId));
  const isClosed = agent !== null && agent.status !== 'RUNNING';
  const plan = planRealtimeCall(read, {
    now: clock.now(),
    stored: (itemId) => held.has(idOf('item', itemId)),
    isClosed,
  });

  const events: NewEvent[] = [
    ...plan.messages.map(({ itemId, message }) => factOf(idOf('item', itemId), 'message.appended', message)),
    ...plan.cuts.map(({ itemId, isDeleted }) =>
      factOf(idOf(isDeleted ? 'deleted' : 'cut', itemId), 'message.interrupted', {
        messageEventId: idOf('item', itemId),
        heard: isDeleted ? '' : null,
      }),
    ),
  ];
  if (agent === null) {
    const { callId = claim.callKey, receivedAt } = first;
    const startedAt = receivedAt.toISOString();
    const call = { name: callId, vendorAgentId: callId, labels: {}, channel: null, startedAt };
    events.unshift(startOfCall(idOf('started'), agentId, work, call));
  }
  if (plan.end !== null) events.push(endOfCall(idOf('ended'), agentId, plan.end));
  const late = await session.repeatEnd(events, idOf('ended again', ...events.map(({ eventId }) => eventId)));
  events.push(...late.end);

  await notices.mark(tx, claim, plan.settled, 'folded', late.code);
  await notices.finishCall(tx, claim, { at: plan.nextAt, settledRound: null, place });
  return session.end(tx, events);
};
