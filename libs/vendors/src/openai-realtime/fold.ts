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
import { NoticeUnreadable, type NewEvent } from '@turnkeeper/domain';
import { jsonOrUndefined } from '../shared/exact-json.js';
import { textOf, withoutNul } from '../shared/notice-text.js';
import { planRealtimeCall, type ReceivedEvent } from './conversation.js';
import { realtimeNotice, type RealtimeNotice } from './shapes.js';

type Read = ReceivedEvent & Pick<RealtimeNotice, 'actorId' | 'sessionId' | 'index'>;

const readNotice = ({ noticeKey, receivedAt, body }: CallNotice): Read => {
  const parsed = realtimeNotice.safeParse(withoutNul(jsonOrUndefined(textOf(body))));
  if (!parsed.success) throw new NoticeUnreadable();
  return { key: noticeKey, receivedAt, ...parsed.data };
};

/** Events of one request are received in the same millisecond. */
const inOrder = (read: readonly Read[]): Read[] =>
  read.toSorted((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime() || a.index - b.index);

/** Folds the pending server events of a call into its session. */
export const foldRealtimeCall = async (deps: FoldDeps, work: CallWork): Promise<Ending<void>> => {
  const { agents, notices, ids, clock } = deps;
  const { tx, connector, claim } = work;
  const idOf = (...parts: string[]): string =>
    ids.derive('openai realtime call', connector.connectorId, claim.callKey, ...parts);
  const read = inOrder((await notices.noticesOf(tx, claim)).map(readNotice));
  const [first] = read;
  if (first === undefined) {
    await notices.finishCall(tx, claim, { at: null, settledRound: null, place: null });
    return commitOnly(undefined);
  }

  const agentId = idOf('agent');
  const agent = await agents.findForUpdate(tx, connector.tenantId, agentId);
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
    ...plan.cuts.map((itemId) =>
      factOf(idOf('cut', itemId), 'message.interrupted', { messageEventId: idOf('item', itemId), heard: null }),
    ),
  ];
  if (agent === null) {
    const call = { name: claim.callKey, labels: {}, channel: null, startedAt: first.receivedAt.toISOString() };
    events.unshift(startOfCall(idOf('started'), agentId, work, call));
  }
  if (plan.end !== null) events.push(endOfCall(idOf('ended'), agentId, plan.end));
  const late = await session.repeatEnd(events, idOf('ended again', ...events.map(({ eventId }) => eventId)));
  events.push(...late.end);

  await notices.mark(tx, claim, plan.settled, 'folded', late.code);
  await notices.finishCall(tx, claim, { at: plan.nextAt, settledRound: null, place });
  return session.end(tx, events);
};
