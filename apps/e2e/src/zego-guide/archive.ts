import { describe, expect, it } from 'vitest';
import { FROM_ARCHIVE, TO_ARCHIVE, type ZegoClient } from './client.js';

export const archiveCases = (client: ZegoClient): void => {
  const { act, create, list, add, end, window } = client;

  describe('with the archive of a user and a robot', () => {
    const contentsOf = async (id: string) => (await list(id))!.MessageList.map(({ Content }) => Content);
    const as = (user: string) => ({ UserId: user });

    it('continues where the last call ended', async () => {
      const first = await create(TO_ARCHIVE, as('ada'));
      expect(await contentsOf(first)).toEqual([]);
      await add(first, 'I moved to Hue.', 'It rains a lot.');
      expect((await end(first)).Code).toBe(0);
      const second = await create(FROM_ARCHIVE, as('ada'));
      expect(await contentsOf(second)).toEqual(['I moved to Hue.', 'It rains a lot.']);
      await add(second, 'Still raining.');
      expect(await contentsOf(second)).toEqual(['I moved to Hue.', 'It rains a lot.', 'Still raining.']);
      expect(await window(second)).toEqual(['I moved to Hue.', 'It rains a lot.', 'Still raining.']);
    });

    it('loads the newest messages, as many as requested and at most the window', async () => {
      const first = await create(TO_ARCHIVE, as('bob'));
      await add(first, ...Array.from({ length: 30 }, (_, index) => `message ${index}`));
      await end(first);
      const load = async (history: object) => {
        const id = await create({ ...TO_ARCHIVE, ...history }, as('bob'));
        const contents = await contentsOf(id);
        await end(id);
        return [contents.length, contents.at(-1)];
      };
      expect(await load(FROM_ARCHIVE)).toEqual([10, 'message 29']);
      expect(await load({})).toEqual([20, 'message 29']);
      expect(await load({ WindowSize: 5, ZIM: { RobotId: '@RBT#123', LoadMessageCount: 10 } })).toEqual([
        5,
        'message 29',
      ]);
      expect(await load({ WindowSize: 30 })).toEqual([30, 'message 29']);
      expect(await load({ ZIM: { RobotId: '@RBT#123', LoadMessageCount: 0 } })).toEqual([0, undefined]);
    });

    it('contains only that user and that robot', async () => {
      const first = await create(TO_ARCHIVE, as('carol'));
      await add(first, 'My secret.');
      await end(first);
      expect(await contentsOf(await create(FROM_ARCHIVE, as('dave')))).toEqual([]);
      expect(await contentsOf(await create({ SyncMode: 0, ZIM: { RobotId: 'other' } }, as('carol')))).toEqual([]);
      expect(await contentsOf(await create({ SyncMode: 0 }, as('carol')))).toEqual([]);
      expect(await contentsOf(await create(FROM_ARCHIVE, as('carol')))).toEqual(['My secret.']);
    });

    it('includes what an instance has reset for itself', async () => {
      const first = await create(TO_ARCHIVE, as('eve'));
      await add(first, 'before');
      await act('ResetAgentInstanceMsgList', { AgentInstanceId: first });
      await add(first, 'after');
      expect(await contentsOf(first)).toEqual(['after']);
      await end(first);
      expect(await contentsOf(await create(FROM_ARCHIVE, as('eve')))).toEqual(['before', 'after']);
    });
  });
};
