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
import type { CallPlan, CallState, Received } from './plan.js';
import type { Forwarding } from './read.js';
import { forwardedNotice } from './shapes.js';

type Read<Event> = Received<Event> & {
  readonly actorId: string;
  readonly sessionId: string;
  readonly callId?: string | undefined;
  readonly index: number;
};

const readNotice = <Event extends { readonly type: string }>(
  { event }: Forwarding<Event>,
  { noticeKey, receivedAt, body }: CallNotice,
): Read<Event> => {
  const parsed = forwardedNotice(event).safeParse(withoutNul(jsonOrUndefined(textOf(body))));
  if (!parsed.success) throw new NoticeUnreadable();
  return { key: noticeKey, receivedAt, ...parsed.data } as Read<Event>;
};

/** Events of one request are received in the same millisecond. */
const inOrder = <Event>(read: readonly Read<Event>[]): Read<Event>[] =>
  read.toSorted((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime() || a.index - b.index);

/**
 * The agent of a call, and the name from which the ids of its events are derived. The name was the call's id alone before
 * calls were told apart by their user: a call that began then keeps it, so that it has one agent, and repeats are known.
 */
const agentOfCall = async (
  { agents, ids }: FoldDeps,
  { tx, connector: { tenantId, connectorId }, claim: { callKey } }: CallWork,
  idName: string,
  { callId = callKey, actorId, sessionId }: Read<unknown>,
): Promise<{ readonly agent: Agent | null; readonly agentId: string; readonly name: string }> => {
  const find = async (name: string) => {
    const agentId = ids.derive(`${idName} call`, connectorId, name, 'agent');
    return { agent: await agents.findForUpdate(tx, tenantId, agentId), agentId, name };
  };
  const found = await find(callKey);
  if (found.agent !== null) return found;
  const earlier = await find(callId);
  return earlier.agent?.actorId === actorId && earlier.agent.sessionId === sessionId ? earlier : found;
};

/**
 * Folds the pending events of a call into its session.
 *
 * @param plan the platform's rules: pure, for events in order of receipt, in any number and with repeats
 */
export const foldForwarded =
  <Event extends { readonly type: string }>(
    forwarding: Forwarding<Event>,
    plan: (events: readonly Received<Event>[], state: CallState) => CallPlan,
  ) =>
  async (deps: FoldDeps, work: CallWork): Promise<Ending<void>> => {
    const { notices, ids, clock } = deps;
    const { tx, connector, claim } = work;
    const { idName } = forwarding;
    const read = inOrder((await notices.noticesOf(tx, claim)).map((notice) => readNotice(forwarding, notice)));
    const [first] = read;
    if (first === undefined) {
      await notices.finishCall(tx, claim, { at: null, settledRound: null, place: null });
      return commitOnly(undefined);
    }

    const { agent, agentId, name } = await agentOfCall(deps, work, idName, first);
    const idOf = (...parts: string[]): string => ids.derive(`${idName} call`, connector.connectorId, name, ...parts);
    const place = placeOfCall(agent ?? first);
    const session = new CallSession(deps, connector.tenantId, connector.memoryId, place, agent);
    const held = agent === null ? [] : await session.heldMessages();
    const heldIds = new Set(held.map(({ eventId }) => eventId));
    const planned = plan(read, {
      now: clock.now(),
      stored: (itemId) => heldIds.has(idOf('item', itemId)),
      held: held.map(({ data }) => data.metadata ?? {}),
      isClosed: agent !== null && agent.status !== 'RUNNING',
    });

    const events: NewEvent[] = [
      ...planned.messages.map(({ itemId, message, saidAt }) => ({
        ...factOf(idOf('item', itemId), 'message.appended', message),
        ...(saidAt === undefined ? {} : { occurredAt: saidAt }),
      })),
      ...planned.cuts.map(({ itemId, isDeleted }) =>
        factOf(idOf(isDeleted ? 'deleted' : 'cut', itemId), 'message.interrupted', {
          messageEventId: idOf('item', itemId),
          heard: isDeleted ? '' : null,
        }),
      ),
    ];
    const isCall = agent !== null || planned.isEmpty !== true;
    if (agent === null && isCall) {
      const { callId = claim.callKey, receivedAt } = first;
      const startedAt = receivedAt.toISOString();
      const call = { name: callId, vendorAgentId: callId, labels: {}, channel: null, startedAt };
      events.unshift(startOfCall(idOf('started'), agentId, work, call));
    }
    if (planned.end !== null && isCall) {
      events.push(endOfCall(idOf('ended'), agentId, planned.end));
    }
    const late = await session.repeatEnd(events, idOf('ended again', ...events.map(({ eventId }) => eventId)));
    events.push(...late.end);

    await notices.mark(tx, claim, planned.settled, 'folded', late.code);
    await notices.finishCall(tx, claim, { at: planned.nextAt, settledRound: null, place });
    return events.length === 0 ? commitOnly(undefined) : session.end(tx, events);
  };
