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
import { ConnectorActorUnknown, RoundSettled, vendorTime, type NewEvent } from '@turnkeeper/domain';
import { textOf, withoutNul } from '../shared/notice-text.js';
import { planZegoCall } from './call.js';
import {
  decodeZegoBody,
  isZegoFact,
  ZEGO_INSTANCE_CREATED,
  ZEGO_INSTANCE_DELETED,
  zegoCallbackBody,
  zegoCallbackOf,
  zegoDataOf,
  zegoEndCode,
} from './shapes.js';
import { zegoPlace, zegoPlacesOf } from './places.js';
import { firstZegoUser, foldZegoCallbacks, type ReceivedZegoCallback, type ZegoMessage } from './rounds.js';

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
  UserId: firstZegoUser(read.flatMap(({ callback }) => callback ?? [])),
  RoomId: read.flatMap(({ body }) => body.RoomId ?? [])[0] ?? null,
});

/** Folds the settled callbacks of a ZEGOCLOUD agent instance into its session. */
export const foldZegoCall = async (deps: FoldDeps, work: CallWork): Promise<Ending<void>> => {
  const { agents, notices, connectors, ids, clock } = deps;
  const { tx, connector, claim } = work;
  const { connectorId, tenantId } = connector;
  const idOf = (...parts: (string | number)[]): string => ids.derive('zego call', connectorId, claim.callKey, ...parts);
  const read = (await notices.noticesOf(tx, claim)).map(readNotice);
  const deletion = read.find(({ body }) => body.Event === ZEGO_INSTANCE_DELETED);
  const callbacks = read.flatMap(({ callback, receivedAt }): ReceivedZegoCallback[] =>
    callback === null ? [] : [{ ...callback, receivedAt }],
  );
  const agentId = idOf('agent');
  const agent = await agents.findForUpdate(tx, tenantId, agentId);
  const isClosed = agent !== null && agent.status !== 'RUNNING';
  const plan = planZegoCall(
    {
      callbacks,
      lastHeardAt: read.at(-1)?.receivedAt ?? null,
      deleted: deletion === undefined ? null : { at: deletion.receivedAt, code: zegoEndCode(deletion.body) },
      settledRound: claim.settledRound,
      isClosed,
    },
    clock.now(),
  );
  const mapped = await connectors.placeOfInstance(connectorId, claim.callKey);
  const placeOfUser = (UserId: string | null) =>
    zegoPlace(zegoPlacesOf(connector), { ...knownOf(read, claim.callKey), UserId });
  const place = agent ?? mapped ?? placeOfUser(knownOf(read, claim.callKey).UserId);
  if (place === null) {
    // The user id arrives with the first words. A call that ended without any has nothing to store.
    if (plan.messages.length > 0) throw new ConnectorActorUnknown();
    if (plan.end !== null) await notices.mark(tx, claim, keysOf(read), 'folded');
    await notices.finishCall(tx, claim, { at: plan.nextAt, settledRound: claim.settledRound, place: null });
    return commitOnly(undefined);
  }

  const session = new CallSession(deps, tenantId, connector.memoryId, place, agent);
  /** Words of another user than the session's are stored under that user's name. */
  const named = (message: ZegoMessage): ZegoMessage => {
    const { user } = message.metadata;
    if (typeof user !== 'string' || mapped !== null) return message;
    const theirs = placeOfUser(user)?.actorId ?? place.actorId;
    return theirs === place.actorId ? message : { ...message, metadata: { ...message.metadata, speaker: user } };
  };
  const events = plan.messages.map((message) => {
    const { round, role, part } = message;
    return eventOf(idOf('message', round, role, ...(part === 0 ? [] : [part])), named(message));
  });
  const isSettled = ({ callback }: ReadNotice): boolean =>
    callback !== null && claim.settledRound !== null && callback.round <= claim.settledRound;
  const late = read.filter(isSettled);
  for (const notice of late) {
    events.push(...lateWords(notice, (key, message) => eventOf(idOf('late', key), named(message))));
  }

  const startedAt = agent?.startedAt ?? vendorTime(createdAt(read), clock.now());
  if (agent === null) {
    const channel = knownOf(read, claim.callKey).RoomId;
    const start = startedAt === undefined ? {} : { startedAt };
    events.unshift(startOfCall(idOf('started'), agentId, work, { name: claim.callKey, channel, labels: {}, ...start }));
  }
  if (plan.end !== null && !isClosed) {
    const stoppedAt = vendorTime(deletedAt(deletion), clock.now());
    events.push(endOfCall(idOf('ended'), agentId, { ...plan.end, ...stopTime(stoppedAt, startedAt) }));
  }
  const { end, code } = await session.repeatEnd(events, idOf('ended again', ...events.map(({ eventId }) => eventId)));
  events.push(...end);

  const isDone = (notice: ReadNotice): boolean =>
    !isSettled(notice) && (plan.end !== null || (notice.callback !== null && notice.callback.round < plan.openFrom));
  // Where a settled answer was cut can no longer be changed, so these stay visible with their content.
  const unplaced = late.filter(({ callback }) => callback?.event === 'Interrupted');
  await notices.mark(tx, claim, keysOf(unplaced), 'parked', new RoundSettled().code);
  await notices.mark(tx, claim, keysOf(late.filter((notice) => !unplaced.includes(notice))), 'folded', code);
  await notices.mark(tx, claim, keysOf(read.filter(isDone)), 'folded', code);
  await notices.finishCall(tx, claim, { at: plan.nextAt, settledRound: plan.settledRound, place: placeOfCall(place) });
  return session.end(tx, events);
};

/** Words of a round whose messages are already in the session become a separate message. */
const lateWords = (notice: ReadNotice, eventOfWords: (key: string, message: ZegoMessage) => NewEvent): NewEvent[] =>
  notice.callback === null || notice.callback.event === 'Interrupted'
    ? []
    : foldZegoCallbacks([notice.callback]).map((message) =>
        eventOfWords(notice.key, { ...message, metadata: { ...message.metadata, late: true } }),
      );

const stampIn = (notice: ReadNotice | undefined, field: string): unknown =>
  notice === undefined ? undefined : zegoDataOf(notice.body)[field];
const createdAt = (read: readonly ReadNotice[]): unknown =>
  stampIn(
    read.find(({ body }) => body.Event === ZEGO_INSTANCE_CREATED),
    'CreatedTimestamp',
  );
const deletedAt = (deletion: ReadNotice | undefined): unknown => stampIn(deletion, 'DeletedTimestamp');

const keysOf = (read: readonly ReadNotice[]): string[] => read.map(({ key }) => key);
