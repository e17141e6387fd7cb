import { describe, expect, it } from 'vitest';
import { agoraPlace } from '../agora/places.js';
import { zegoConnectorBody } from '../zegocloud/contract.js';
import { zegoPlace } from '../zegocloud/places.js';

describe('the actor and session of a call', () => {
  const labels = { actorLabel: 'user_id', sessionLabel: 'session_id' };

  it("come from an Agora agent's labels; without a session label, the channel is the session", () => {
    const call = { agentId: 'a-1', channel: 'room-9' };
    expect(agoraPlace(labels, { ...call, labels: { user_id: 'u9', session_id: 's1' } })).toEqual({
      actorId: 'u9',
      sessionId: 's1',
    });
    expect(agoraPlace(labels, { ...call, labels: { user_id: 9 } })).toEqual({ actorId: '9', sessionId: 'room-9' });
    expect(agoraPlace(labels, { agentId: 'a-1', labels: { user_id: 'u9' } })?.sessionId).toBe('a-1');
  });

  it.each([undefined, '', '.', '..', null, { id: 1 }, 'x'.repeat(256), 'half \ud83d'])(
    'are unknown if the user is %j',
    (user) => {
      expect(agoraPlace(labels, { agentId: 'a-1', labels: user === undefined ? {} : { user_id: user } })).toBeNull();
    },
  );

  it("are built from ZEGOCLOUD's values once all are known", () => {
    const places = { actorTemplate: '{UserId}', sessionTemplate: '{RoomId}/{AgentInstanceId}' };
    const known = { AgentInstanceId: '9001', UserId: 'ada', RoomId: 'r1' };
    expect(zegoPlace(places, known)).toEqual({ actorId: 'ada', sessionId: 'r1/9001' });
    expect(zegoPlace(places, { ...known, UserId: null })).toBeNull();
    const accepts = (actorTemplate: string) => zegoConnectorBody.shape.actorTemplate.safeParse(actorTemplate).success;
    expect(['{UserId}', '{userId}', 'fixed'].map(accepts)).toEqual([true, false, true]);
  });
});
