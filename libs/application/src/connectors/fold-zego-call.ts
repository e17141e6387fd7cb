import {
  decodeZegoBody,
  isZegoFact,
  ZEGO_INSTANCE_DELETED,
  zegoCallbackBody,
  zegoCallbackOf,
  zegoEndCode,
} from '@turnkeeper/contracts';
import {
  ConnectorActorUnknown,
  planZegoCall,
  zegoPlace,
  type NewEvent,
  type ReceivedZegoCallback,
  type ZegoMessage,
} from '@turnkeeper/domain';
import { factOf } from '../log/stored-event.js';
import type { Connector } from '../ports/connector-store.port.js';
import type { CallNotice } from '../ports/notice-store.port.js';
import { commitOnly, type Ending } from '../ports/transaction.port.js';
import { endOfCall, placeOf, startOfCall, type CallWork, type FoldDeps } from './call-deps.js';
import { CallSession } from './call-session.js';
import { textOf, withoutNul } from './notice-text.js';

type ZegoConnector = Extract<Connector, { vendor: 'zegocloud' }>;

const readNotice = (notice: CallNotice) => {
  const body = zegoCallbackBody.parse(withoutNul(decodeZegoBody(textOf(notice.body))));
  const callback = isZegoFact(body.Event) ? zegoCallbackOf(body) : null;
  return { key: notice.noticeKey, receivedAt: notice.receivedAt, body, callback };
};
type ReadNotice = ReturnType<typeof readNotice>;

const eventOf = (eventId: string, { role, content, timestamp, round, metadata }: ZegoMessage): NewEvent => ({
  ...factOf(eventId, 'message.appended', {
    payloadType: 'CONVERSATIONAL',
    role,
    content,
    turnId: round,
    timestamp,
    metadata,
  }),
  // Rounds are appended once settled; this is when the message was said.
  occurredAt: new Date(timestamp).toISOString(),
});

/** Template variables known from this call so far. */
const knownOf = (read: readonly ReadNotice[], instanceId: string) => ({
  AgentInstanceId: instanceId,
  UserId: read.flatMap(({ callback }) => (callback?.event === 'ASRResult' ? (callback.userId ?? []) : []))[0] ?? null,
  RoomId: read.flatMap(({ body }) => body.RoomId ?? [])[0] ?? null,
});

/** Folds the settled callbacks of a ZEGOCLOUD agent instance into its session. */
export const foldZegoCall = async (deps: FoldDeps, work: CallWork<ZegoConnector>): Promise<Ending<void>> => {
  const { agents, notices, connectors, ids, clock } = deps;
  const { tx, connector, claim } = work;
  const { connectorId, tenantId } = connector;
  const idOf = (...parts: (string | number)[]): string => ids.derive('zego call', connectorId, claim.callKey, ...parts);
  const read = (await notices.noticesOf(tx, claim)).map(readNotice);
  const deletion = read.find(({ body }) => body.Event === ZEGO_INSTANCE_DELETED);
  const callbacks = read.flatMap(({ callback, receivedAt }): ReceivedZegoCallback[] =>
    callback === null ? [] : [{ ...callback, receivedAt }],
  );
  const plan = planZegoCall(
    {
      callbacks,
      lastHeardAt: read.at(-1)?.receivedAt ?? null,
      deleted: deletion === undefined ? null : { at: deletion.receivedAt, code: zegoEndCode(deletion.body) },
      settledRound: claim.settledRound,
    },
    clock.now(),
  );

  const agentId = idOf('agent');
  const agent = await agents.findForUpdate(tx, tenantId, agentId);
  const place =
    agent ??
    (await connectors.placeOfInstance(connectorId, claim.callKey)) ??
    zegoPlace(connector.places, knownOf(read, claim.callKey));
  if (place === null) {
    // The user id arrives with the first words. A call that ended without any has nothing to store.
    if (plan.messages.length > 0) throw new ConnectorActorUnknown();
    if (plan.end !== null) await notices.mark(tx, claim, keysOf(read), 'folded');
    await notices.finishCall(tx, claim, { at: plan.nextAt, settledRound: claim.settledRound, place: null });
    return commitOnly(undefined);
  }

  const session = new CallSession(deps, tenantId, connector.memoryId, place, agent);
  const events = plan.messages.map((message) => eventOf(idOf('message', message.round, message.role), message));
  const isRunning = agent === null || agent.status === 'RUNNING';
  if (agent === null) {
    const channel = knownOf(read, claim.callKey).RoomId;
    events.unshift(startOfCall(idOf('started'), agentId, work, { name: claim.callKey, channel, labels: {} }));
  }
  if (plan.end !== null && isRunning) events.push(endOfCall(idOf('ended'), agentId, plan.end));

  const isLate = ({ callback }: ReadNotice): boolean =>
    callback !== null && claim.settledRound !== null && callback.round <= claim.settledRound;
  const isDone = (notice: ReadNotice): boolean =>
    !isLate(notice) && (plan.end !== null || (notice.callback !== null && notice.callback.round < plan.openFrom));
  await notices.mark(tx, claim, keysOf(read.filter(isLate)), 'ignored');
  await notices.mark(tx, claim, keysOf(read.filter(isDone)), 'folded');
  await notices.finishCall(tx, claim, { at: plan.nextAt, settledRound: plan.settledRound, place: placeOf(place) });
  return session.end(tx, events);
};

const keysOf = (read: readonly ReadNotice[]): string[] => read.map(({ key }) => key);
