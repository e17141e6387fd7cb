import {
  factOf,
  type CallNotice,
  commitOnly,
  type Ending,
  endOfCall,
  startOfCall,
  stopTime,
  type CallWork,
  type FoldDeps,
  CallSession,
  placeOfCall,
} from '@turnkeeper/application';
import {
  ConnectorActorUnknown,
  messageOfContent,
  NoticeUnreadable,
  vendorTime,
  type NewEvent,
} from '@turnkeeper/domain';
import { parseExactJson } from '../shared/exact-json.js';
import { textOf, withoutNul } from '../shared/notice-text.js';
import { planAgoraCall, type AgoraCallNotice } from './call.js';
import { agoraAgentEvent, agoraAgentPayload, agoraNotification, type AgoraAgentPayload } from './shapes.js';
import { agoraPlace, agoraPlacesOf } from './places.js';
import { mergeSnapshots } from './merge-snapshots.js';

type ReadNotice = AgoraCallNotice & { readonly payload: AgoraAgentPayload };

const readNotice = (notice: CallNotice): ReadNotice => {
  const parsed = agoraNotification.safeParse(withoutNul(parseExactJson(textOf(notice.body))));
  const kind = parsed.success ? agoraAgentEvent(parsed.data) : null;
  if (!parsed.success || kind === null) throw new NoticeUnreadable();
  const payload = agoraAgentPayload.parse(parsed.data.payload);
  return {
    key: notice.noticeKey,
    kind,
    receivedAt: notice.receivedAt,
    isApplied: notice.status === 'applied',
    status: payload.status,
    message: payload.message,
    payload,
  };
};

/** The first value of a field in any of the notifications. */
const firstOf = (read: readonly ReadNotice[], field: 'start_ts' | 'stop_ts'): number | undefined =>
  read.find(({ payload }) => payload[field] !== undefined)?.payload[field];

/** Folds an Agora agent's pending notifications into its session. */
export const foldAgoraCall = async (deps: FoldDeps, work: CallWork): Promise<Ending<void>> => {
  const { agents, notices, ids, clock } = deps;
  const { tx, connector, claim } = work;
  const idOf = (...parts: (string | number)[]): string =>
    ids.derive('agora call', connector.connectorId, claim.callKey, ...parts);
  const read = (await notices.noticesOf(tx, claim)).map(readNotice);
  const [first] = read;
  if (first === undefined) {
    await notices.finishCall(tx, claim, { at: null, settledRound: null, place: null });
    return commitOnly(undefined);
  }

  const agentId = idOf('agent');
  const agent = await agents.findForUpdate(tx, connector.tenantId, agentId);
  const plan = planAgoraCall(read, { agentStatus: agent?.status ?? null, now: clock.now() });
  // Agora omits the labels in some notifications, so use any that has them.
  const known = read.find(({ payload }) => payload.labels !== undefined) ?? first;
  const place = agent ?? agoraPlace(agoraPlacesOf(connector), { agentId: claim.callKey, ...known.payload });
  if (place === null) throw new ConnectorActorUnknown();
  const session = new CallSession(deps, connector.tenantId, connector.memoryId, place, agent);

  const events: NewEvent[] = [];
  const startedAt = agent?.startedAt ?? vendorTime(firstOf(read, 'start_ts'), clock.now());
  if (agent === null) {
    const { name = '', channel = null, labels = {} } = known.payload;
    const start = startedAt === undefined ? {} : { startedAt };
    events.push(startOfCall(idOf('started'), agentId, work, { name, channel, labels, ...start }));
  }
  if (plan.apply.length > 0) {
    // With those applied before: what connects two snapshots may arrive after both.
    const snapshots = read
      .filter(({ kind }) => kind === 'history')
      .map(({ key, isApplied, payload }) => ({ key, isApplied, messages: payload.contents.map(messageOfContent) }));
    const merged = mergeSnapshots(await session.heldMessages(), snapshots, (key, index) => idOf('message', key, index));
    events.push(
      ...merged.cuts.map(({ key, data }) => factOf(idOf('cut', key, data.messageEventId), 'message.interrupted', data)),
      ...merged.messages.map(({ eventId, data }) => factOf(eventId, 'message.appended', data)),
    );
  }
  const stoppedAt = vendorTime(firstOf(read, 'stop_ts'), clock.now());
  if (plan.end !== null) {
    events.push(endOfCall(idOf('ended'), agentId, { ...plan.end, ...stopTime(stoppedAt, startedAt) }));
  }
  const late = await session.repeatEnd(events, idOf('ended again', ...plan.apply));
  events.push(...late.end);

  await notices.mark(tx, claim, plan.apply, 'applied');
  await notices.mark(tx, claim, plan.settled, 'folded', late.code);
  await notices.finishCall(tx, claim, { at: plan.nextAt, settledRound: null, place: placeOfCall(place) });
  return session.end(tx, events);
};
