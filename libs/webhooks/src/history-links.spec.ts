import { describe, expect, it } from 'vitest';
import { createHistoryLinks } from './history-links.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const agent = { tenantId: 'tenant-1', agentId: 'agent-1' };
const links = (secret = 'key') =>
  createHistoryLinks({ baseUrl: 'https://memory.example/', days: 30, secret: async () => secret });

const parse = (url: string) => {
  const { searchParams } = new URL(url);
  return {
    ...agent,
    tenantId: searchParams.get('tenant') ?? '',
    expires: Number(searchParams.get('expires')),
    signature: searchParams.get('signature') ?? '',
  };
};

describe('history links', () => {
  it('contain the agent and are valid until they expire', async () => {
    const url = await links().urlOf(agent, NOW);
    expect(url).toMatch(/^https:\/\/memory\.example\/v1\/agents\/agent-1\/whole-history\?tenant=tenant-1&expires=/);
    const link = parse(url);
    const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
    expect(await links().isValid(link, after(30 * 86_400 - 1))).toBe(true);
    expect(await links().isValid(link, after(30 * 86_400))).toBe(false);
  });

  it('are invalid for another agent, with another key, or if any part was changed', async () => {
    const link = parse(await links().urlOf(agent, NOW));
    const forged = [
      { ...link, agentId: 'agent-2' },
      { ...link, tenantId: 'tenant-2' },
      { ...link, expires: link.expires + 1 },
      { ...link, signature: link.signature.replace(/./, (c) => (c === '0' ? '1' : '0')) },
      { ...link, signature: '' },
    ];
    expect(await Promise.all(forged.map((one) => links().isValid(one, NOW)))).toEqual(forged.map(() => false));
    expect(await links('another key').isValid(link, NOW)).toBe(false);
  });
});
