import { describe, expect, it } from 'vitest';
import { AGORA_END_GRACE_MS, planAgoraCall, type AgoraCallNotice } from './call.js';

const at = (ms: number): Date => new Date(1_767_225_600_000 + ms);
const notice = (kind: AgoraCallNotice['kind'], ms = 0, more: Partial<AgoraCallNotice> = {}): AgoraCallNotice => ({
  key: kind,
  kind,
  receivedAt: at(ms),
  isApplied: false,
  ...(kind === 'left' ? { status: 'STOPPED', message: 'OK' } : {}),
  ...more,
});
const plan = (notices: AgoraCallNotice[], now = 0, agentStatus: 'RUNNING' | 'STOPPED' | null = 'RUNNING') =>
  planAgoraCall(notices, { agentStatus, now: at(now) });

describe('the notifications of one Agora agent', () => {
  it('start with 101, which is settled immediately', () => {
    expect(plan([notice('joined')], 0, null)).toEqual({ apply: [], end: null, settled: ['joined'], nextAt: null });
  });

  it('end the run once 102 and 103 have both arrived, in either order', () => {
    for (const order of [['left', 'history'] as const, ['history', 'left'] as const]) {
      expect(plan(order.map((kind) => notice(kind)))).toMatchObject({
        apply: ['history'],
        end: { isFailure: false, reason: 'requested' },
        settled: order,
      });
    }
  });

  it('apply the messages of 103 immediately, but wait for 102 before ending the run', () => {
    const early = plan([notice('history')], 1_000);
    expect(early).toEqual({ apply: ['history'], end: null, settled: [], nextAt: at(AGORA_END_GRACE_MS) });
    const applied = notice('history', 0, { isApplied: true });
    expect(plan([applied], 1_000).apply).toEqual([]);
    expect(plan([applied], AGORA_END_GRACE_MS)).toMatchObject({
      apply: [],
      end: { reason: 'requested' },
      settled: ['history'],
    });
  });

  it('wait for 103 before ending the run, up to a limit', () => {
    expect(plan([notice('left')], AGORA_END_GRACE_MS - 1)).toMatchObject({ end: null, nextAt: at(AGORA_END_GRACE_MS) });
    expect(plan([notice('left')], AGORA_END_GRACE_MS).end).toEqual({ isFailure: false, reason: 'requested' });
  });

  it('map the reason of the end', () => {
    const ended = (status: string, message: string) =>
      plan([notice('left', 0, { status, message }), notice('history')]).end;
    expect(ended('STOPPED', 'Idle for too long')).toEqual({ isFailure: false, reason: 'idle' });
    expect(ended('FAILED', 'RTC connection error')).toEqual({ isFailure: true, reason: 'RTC connection error' });
  });

  it('that arrive after the end add their messages and nothing else', () => {
    expect(plan([notice('history'), notice('left')], 0, 'STOPPED')).toEqual({
      apply: ['history'],
      end: null,
      settled: ['history', 'left'],
      nextAt: null,
    });
  });
});
