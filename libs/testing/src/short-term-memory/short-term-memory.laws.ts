import type { Json } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';

/** Interface of a short-term memory, for any storage. */
export interface ShortTermMemoryUnderTest {
  addMemory(sessionId: string, role: string, content: string, metadata?: { [key: string]: Json } | null): Promise<void>;
  getContext(
    sessionId: string,
    limit?: number,
  ): Promise<readonly { readonly role: string; readonly content: string; readonly timestamp: string }[]>;
  formatAsString(sessionId: string, limit?: number): Promise<string>;
  getExactMatchAnswer(
    query: string,
    options?: { sessionId?: string; everyActor?: boolean; prefer?: 'newest' | 'oldest' },
  ): Promise<string | null>;
  clearSession(sessionId: string): Promise<void>;
}

/** Example data from the guide to `SQLiteShortTermMemory`. */
const QUESTION = 'What is the capital of Andorra?';
const ANSWER = 'The capital of Andorra is Andorra la Vella.';

/** Contract of every short-term memory. @param make returns a new, empty memory for each law */
export const shortTermMemoryLaws = (name: string, make: () => Promise<ShortTermMemoryUnderTest>): void => {
  describe(`${name} as a short-term memory`, () => {
    const exchanged = async (): Promise<ShortTermMemoryUnderTest> => {
      const memory = await make();
      await memory.addMemory('session-abc', 'user', QUESTION);
      await memory.addMemory('session-abc', 'assistant', ANSWER, { model: 'llama3', tokens: 42 });
      return memory;
    };
    const numbered = async (count: number): Promise<ShortTermMemoryUnderTest> => {
      const memory = await make();
      for (let index = 1; index <= count; index += 1) await memory.addMemory('s', 'user', `message ${index}`);
      return memory;
    };

    describe('context', () => {
      it('returns stored messages, oldest first', async () => {
        const memory = await exchanged();
        const stamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
        expect(await memory.getContext('session-abc', 10)).toEqual([
          { role: 'user', content: QUESTION, metadata: null, timestamp: stamp },
          { role: 'assistant', content: ANSWER, metadata: { model: 'llama3', tokens: 42 }, timestamp: stamp },
        ]);
      });

      it('contains the newest messages, ten by default', async () => {
        const memory = await numbered(12);
        const contents = async (limit?: number) => (await memory.getContext('s', limit)).map(({ content }) => content);
        expect(await contents()).toEqual(Array.from({ length: 10 }, (_, index) => `message ${index + 3}`));
        expect(await contents(2)).toEqual(['message 11', 'message 12']);
        expect(await contents(1_000)).toHaveLength(12);
      });

      it('is empty for an unknown session', async () => {
        const memory = await exchanged();
        expect(await memory.getContext('another')).toEqual([]);
        expect(await memory.formatAsString('another')).toBe('');
      });

      it('separates sessions, whatever their names', async () => {
        const memory = await make();
        const names = ['a', 'a/b', 'a b', 'ä?&#%', '...', '%2e', 'A'];
        for (const session of names) await memory.addMemory(session, 'user', `in ${session}`);
        for (const session of names) expect(await memory.formatAsString(session)).toBe(`USER: in ${session}`);
      });

      it('accepts any role', async () => {
        const memory = await make();
        for (const role of ['user', 'assistant', 'system', 'tool', 'narrator']) await memory.addMemory('s', role, role);
        expect((await memory.getContext('s')).map(({ role }) => role)).toEqual([
          'user',
          'assistant',
          'system',
          'tool',
          'narrator',
        ]);
      });

      it('treats empty metadata as none', async () => {
        const memory = await make();
        await memory.addMemory('s', 'user', 'hello', {});
        expect(await memory.getContext('s')).toMatchObject([{ metadata: null }]);
      });

      it('renders as text for a prompt', async () => {
        const memory = await exchanged();
        expect(await memory.formatAsString('session-abc', 10)).toBe(`USER: ${QUESTION}\n\nASSISTANT: ${ANSWER}`);
        expect(await memory.formatAsString('session-abc', 1)).toBe(`ASSISTANT: ${ANSWER}`);
      });

      it.each([0, -1, 1.5, 1_001, Number.NaN])('rejects a limit of %s', async (limit) => {
        const memory = await exchanged();
        await expect(memory.getContext('session-abc', limit)).rejects.toThrow();
        await expect(memory.formatAsString('session-abc', limit)).rejects.toThrow();
      });

      it.each(['', '.', '..', 'x'.repeat(256), 'a\nb', '\ud83d'])('rejects a session named "%s"', async (session) => {
        const memory = await make();
        await expect(memory.addMemory(session, 'user', 'hi')).rejects.toThrow(RangeError);
        await expect(memory.getContext(session)).rejects.toThrow(RangeError);
        await expect(memory.getExactMatchAnswer('hi', { sessionId: session })).rejects.toThrow(RangeError);
        await expect(memory.clearSession(session)).rejects.toThrow(RangeError);
      });

      const deep = (levels: number): { [key: string]: Json } => (levels === 0 ? {} : { in: deep(levels - 1) });
      it.each([
        ['a role that is empty', '', 'hi', null],
        ['a role of 65 characters', 'r'.repeat(65), 'hi', null],
        ['a role that is a number', 7 as unknown as string, 'hi', null],
        ['content that is a number', 'user', 42 as unknown as string, null],
        ['content with NUL', 'user', 'a\u0000b', null],
        ['content of 100,001 characters', 'user', 'x'.repeat(100_001), null],
        ['metadata that is a list', 'user', 'hi', [1] as unknown as { [key: string]: Json }],
        ['metadata with NUL', 'user', 'hi', { tags: ['a\u0000'] }],
        ['metadata of 2 MB', 'user', 'hi', { blob: 'x'.repeat(2_000_000) }],
        ['metadata 18 levels deep', 'user', 'hi', deep(18)],
      ] as const)('rejects %s and stores nothing', async (_, role, content, metadata) => {
        const memory = await make();
        await expect(memory.addMemory('s', role, content, metadata)).rejects.toThrow();
        expect(await memory.getContext('s')).toEqual([]);
      });

      it('accepts the longest content, and finds it as a question', async () => {
        const memory = await make();
        const long = '長'.repeat(100_000);
        await memory.addMemory('s', 'user', long);
        await memory.addMemory('s', 'assistant', 'Indeed.');
        expect((await memory.getContext('s')).at(0)?.content).toBe(long);
        expect(await memory.getExactMatchAnswer(long)).toBe('Indeed.');
        await expect(memory.getExactMatchAnswer(`${long}長`)).rejects.toThrow();
        await expect(memory.getExactMatchAnswer('a\u0000')).rejects.toThrow();
      });

      it('rejects a contradictory message and stores nothing', async () => {
        const memory = await make();
        await expect(memory.addMemory('s', 'user', 'hi', { source: 'llm' })).rejects.toThrow();
        expect(await memory.getContext('s')).toEqual([]);
      });
    });

    it('keeps the order of calls that are not awaited', async () => {
      const memory = await make();
      const contents = (messages: readonly { readonly content: string }[]): string =>
        messages.map(({ content }) => content).join(' ');
      const calls: Promise<unknown>[] = [];
      for (let index = 1; index <= 15; index += 1) calls.push(memory.addMemory('s', 'user', `${index}`));
      const before = memory.getContext('s', 3);
      // A rejected call does not stop the ones behind it.
      const wrong = expect(memory.addMemory('s', 'user', 'hi', { source: 'llm' })).rejects.toThrow();
      calls.push(memory.clearSession('s'), memory.addMemory('s', 'user', 'Q'), memory.addMemory('s', 'assistant', 'A'));
      const after = memory.getContext('s');
      const answer = memory.getExactMatchAnswer('Q');
      await Promise.all([...calls, wrong]);
      expect([contents(await before), contents(await after), await answer]).toEqual(['13 14 15', 'Q A', 'A']);
    });

    describe('exact match', () => {
      it('finds an earlier answer in any session', async () => {
        const memory = await make();
        expect(await memory.getExactMatchAnswer(QUESTION)).toBeNull();
        await memory.addMemory('global_cache_session', 'user', QUESTION);
        await memory.addMemory('global_cache_session', 'assistant', ANSWER);
        expect(await memory.getExactMatchAnswer(QUESTION)).toBe(ANSWER);
        expect(await memory.getExactMatchAnswer(QUESTION, { everyActor: true })).toBe(ANSWER);
      });

      it('compares character by character', async () => {
        const memory = await exchanged();
        for (const query of [QUESTION.toLowerCase(), `${QUESTION} `, QUESTION.slice(0, -1), '', 'x%_']) {
          expect(await memory.getExactMatchAnswer(query)).toBeNull();
        }
      });

      it('requires the answer to directly follow the question', async () => {
        const memory = await make();
        await memory.addMemory('s', 'user', 'Q1');
        await memory.addMemory('s', 'user', 'Q2');
        await memory.addMemory('s', 'assistant', 'A2');
        await memory.addMemory('s', 'user', 'Q3');
        await memory.addMemory('s', 'tool', 'T');
        await memory.addMemory('s', 'assistant', 'A3');
        expect(await memory.getExactMatchAnswer('Q1')).toBeNull();
        expect(await memory.getExactMatchAnswer('Q2')).toBe('A2');
        expect(await memory.getExactMatchAnswer('Q3')).toBeNull();
        expect(await memory.getExactMatchAnswer('A2')).toBeNull();
      });

      it('prefers the newest answer, or the oldest on request', async () => {
        const memory = await make();
        for (const [session, answer] of [
          ['one', 'old'],
          ['two', 'new'],
        ] as const) {
          await memory.addMemory(session, 'user', 'Q');
          await memory.addMemory(session, 'assistant', answer);
        }
        await memory.addMemory('three', 'user', 'Q');
        expect(await memory.getExactMatchAnswer('Q')).toBe('new');
        expect(await memory.getExactMatchAnswer('Q', { prefer: 'oldest' })).toBe('old');
        expect(await memory.getExactMatchAnswer('Q', { sessionId: 'one' })).toBe('old');
        expect(await memory.getExactMatchAnswer('Q', { sessionId: 'three' })).toBeNull();
        expect(await memory.getExactMatchAnswer('Q', { sessionId: 'never' })).toBeNull();
        await expect(memory.getExactMatchAnswer('Q', { sessionId: 'one', everyActor: true })).rejects.toThrow();
      });

      it('returns the whole answer if it was interrupted', async () => {
        const memory = await make();
        await memory.addMemory('s', 'user', 'A joke?');
        const cut = { source: 'llm', interrupted: true, original: 'Why did the scarecrow win?' };
        await memory.addMemory('s', 'assistant', 'Why did', cut);
        expect(await memory.getExactMatchAnswer('A joke?')).toBe('Why did the scarecrow win?');
      });
    });

    describe('clearing a session', () => {
      it("removes its context and answers, but no other session's", async () => {
        const memory = await exchanged();
        await memory.addMemory('other', 'user', 'Q');
        await memory.addMemory('other', 'assistant', 'A');
        await memory.clearSession('session-abc');
        expect(await memory.getContext('session-abc')).toEqual([]);
        expect(await memory.getExactMatchAnswer(QUESTION)).toBeNull();
        expect(await memory.getExactMatchAnswer('Q')).toBe('A');
      });

      it('allows it to start over', async () => {
        const memory = await exchanged();
        await memory.clearSession('session-abc');
        await memory.addMemory('session-abc', 'user', QUESTION);
        await memory.addMemory('session-abc', 'assistant', 'Andorra la Vella, still.');
        expect(await memory.getContext('session-abc')).toHaveLength(2);
        expect(await memory.getExactMatchAnswer(QUESTION)).toBe('Andorra la Vella, still.');
      });

      it('is idempotent for an unknown session', async () => {
        const memory = await make();
        await memory.clearSession('never');
        expect(await memory.getContext('never')).toEqual([]);
      });
    });
  });
};
