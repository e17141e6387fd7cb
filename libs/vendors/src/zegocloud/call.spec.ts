import { describe, expect, it } from 'vitest';
import { planZegoCall, ZEGO_SILENT_END_MS, type ZegoCall } from './call.js';
import { ZEGO_SETTLE_MS, type ReceivedZegoCallback } from './rounds.js';

const at = (ms: number): Date => new Date(1_767_225_600_000 + ms);
const said = (round: number, ms: number): ReceivedZegoCallback => ({
  agentInstanceId: 'i',
  sequence: String(round),
  timestamp: at(ms).getTime(),
  event: 'ASRResult',
  round,
  text: `round ${round}`,
  userId: 'ada',
  receivedAt: at(ms),
});
const call = (more: Partial<ZegoCall>): ZegoCall => ({
  callbacks: [],
  lastHeardAt: at(0),
  deleted: null,
  settledRound: null,
  isClosed: false,
  ...more,
});

describe('the call of one ZEGOCLOUD instance', () => {
  const callbacks = [said(1, 0), said(2, 1_000)];

  it('returns the settled rounds and when the next ones settle', () => {
    const running = call({ callbacks, lastHeardAt: at(1_000) });
    expect(planZegoCall(running, at(1_000))).toMatchObject({
      messages: [],
      settledRound: null,
      nextAt: at(1_000 + ZEGO_SETTLE_MS),
    });
    const settled = planZegoCall(running, at(1_000 + ZEGO_SETTLE_MS));
    expect(settled.messages.map(({ content }) => content)).toEqual(['round 1']);
    expect(settled).toMatchObject({ settledRound: 1, openFrom: 2, end: null, nextAt: at(1_000 + ZEGO_SILENT_END_MS) });
  });

  it('continues after the settled rounds, and ignores late callbacks', () => {
    const plan = planZegoCall(call({ callbacks, settledRound: 1, deleted: { at: at(2_000), code: 0 } }), at(100_000));
    expect(plan.messages.map(({ round }) => round)).toEqual([2]);
    expect(plan).toMatchObject({ settledRound: 2, end: { isFailure: false, reason: 'requested' }, nextAt: null });
  });

  it('ends when the retries of its last callbacks have run out', () => {
    const ended = call({ callbacks, deleted: { at: at(2_000), code: 1205 } });
    expect(planZegoCall(ended, at(1_999 + ZEGO_SETTLE_MS)).end).toBeNull();
    expect(planZegoCall(ended, at(2_000 + ZEGO_SETTLE_MS)).end).toEqual({ isFailure: true, reason: 'disconnected' });
    expect(planZegoCall(call({ deleted: { at: at(0), code: 7 } }), at(ZEGO_SETTLE_MS)).end?.reason).toBe('code 7');
  });

  it('ends after a silence if no end is reported', () => {
    const silent = call({ callbacks, lastHeardAt: at(1_000) });
    const end = 1_000 + ZEGO_SILENT_END_MS + ZEGO_SETTLE_MS;
    expect(planZegoCall(silent, at(end - 1)).end).toBeNull();
    expect(planZegoCall(silent, at(end))).toMatchObject({ end: { reason: 'silent' }, settledRound: 2 });
  });

  it('settles a late round of a closed call once nothing more of it arrives', () => {
    const late = call({ callbacks: [said(3, 0)], lastHeardAt: at(0), settledRound: 2, isClosed: true });
    expect(planZegoCall(late, at(1_000))).toMatchObject({ messages: [], nextAt: at(ZEGO_SETTLE_MS) });
    const settled = planZegoCall(late, at(ZEGO_SETTLE_MS));
    expect(settled.messages.map(({ content }) => content)).toEqual(['round 3']);
    expect(settled).toMatchObject({ settledRound: 3, nextAt: null });
  });
});
