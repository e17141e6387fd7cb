import type {
  AgentInputItem,
  SessionHistoryTransactionArgs,
  SessionHistoryTransactionAwareSession,
} from '@openai/agents-core';
import { isTurnkeeperError, type ContextMessage, type Message, type SessionHandle } from '@turnkeeper/client';

/** Most messages of a window. */
const MAX_ITEMS = 1_000;
const MAX_TRIES = 5;

/** How an item is stored in the metadata of its message, so that it is returned unchanged. */
interface Stored {
  readonly item?: AgentInputItem;
  /** Items before this message that are no longer part of the history. */
  readonly drop?: number;
  /** Of a transaction, with its content, to recognise its repetition. */
  readonly operationId?: string;
  readonly transaction?: string;
}

/**
 * A session of OpenAI Agents in a session of Turnkeeper. Its messages are those of the conversation, so they are
 * searched, extracted and sent on. Up to 1,000 items are returned. The log is only appended to: removed items stay in it
 * and are no longer returned.
 *
 * @example
 * await run(agent, 'Hello', { session: new TurnkeeperSession(memory.session(userId, 'call-1')) });
 */
export class TurnkeeperSession implements SessionHistoryTransactionAwareSession {
  constructor(private readonly session: SessionHandle) {}

  async getSessionId(): Promise<string> {
    return this.session.sessionId;
  }

  async getItems(limit?: number): Promise<AgentInputItem[]> {
    if (limit !== undefined && limit <= 0) return [];
    const items = itemsOf(await this.session.window(MAX_ITEMS));
    return limit === undefined ? items : items.slice(-limit);
  }

  async addItems(items: AgentInputItem[]): Promise<void> {
    for (let from = 0; from < items.length; from += MAX_ITEMS) {
      await this.session.append(items.slice(from, from + MAX_ITEMS).map(messageOf));
    }
  }

  async popItem(): Promise<AgentInputItem | undefined> {
    return this.unchanged(async (items, append) => {
      const last = items.at(-1);
      if (last !== undefined) await append([marker({ drop: 1 })]);
      return last;
    });
  }

  async clearSession(): Promise<void> {
    await this.session.clear();
  }

  /** Appends items, or replaces the newest ones, atomically and once per operation id. */
  async applyHistoryTransaction({ operationId, transaction }: SessionHistoryTransactionArgs): Promise<void> {
    const text = JSON.stringify(transaction);
    await this.unchanged(async (items, append, window) => {
      const done = window.map(storedOf).find((stored) => stored?.operationId === operationId);
      if (done !== undefined) {
        if (done.transaction === text) return;
        throw new Error(`The operation ${operationId} was used for another transaction.`);
      }
      const mark = { operationId, transaction: text };
      if (transaction.type === 'append_items') {
        await append([marker(mark), ...transaction.items.map(messageOf)]);
        return;
      }
      const { expectedSuffix, replacement } = transaction;
      const suffix = expectedSuffix.length === 0 ? [] : items.slice(-expectedSuffix.length);
      if (canonical(suffix) !== canonical(expectedSuffix)) throw new Error('The history has another suffix.');
      await append([marker({ ...mark, drop: expectedSuffix.length }), ...replacement.map(messageOf)]);
    });
  }

  /** Reads and appends with nothing in between, or tries again. */
  private async unchanged<T>(
    work: (
      items: readonly AgentInputItem[],
      append: (messages: readonly Message[]) => Promise<void>,
      window: readonly ContextMessage[],
    ) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const expectedSequence = await this.newestSequence();
      const window = await this.session.window(MAX_ITEMS);
      try {
        return await work(
          itemsOf(window),
          async (messages) => {
            await this.session.append(messages, { expectedSequence });
          },
          window,
        );
      } catch (error) {
        if (!isTurnkeeperError(error, 'session.sequence_conflict') || attempt === MAX_TRIES) throw error;
      }
    }
  }

  private async newestSequence(): Promise<number> {
    try {
      return (await this.session.get()).newestSequence;
    } catch (error) {
      if (isTurnkeeperError(error) && error.status === 404 && error.code !== 'memory.not_found') return 0;
      throw error;
    }
  }
}

const KEY = 'openaiAgents';

const marker = (stored: Stored): Message => ({ role: 'system', content: '', metadata: { [KEY]: stored } });

const messageOf = (item: AgentInputItem): Message => {
  const { role, text } = readable(item as LooseItem);
  return { role, content: text, metadata: { [KEY]: { item } satisfies Stored } };
};

const storedOf = ({ metadata }: ContextMessage): Stored | undefined => metadata?.[KEY] as Stored | undefined;

const itemsOf = (window: readonly ContextMessage[]): AgentInputItem[] => {
  const items: AgentInputItem[] = [];
  for (const message of window) {
    const stored = storedOf(message);
    if (stored === undefined) items.push(...itemOf(message));
    if (stored?.drop !== undefined) items.length = Math.max(0, items.length - stored.drop);
    if (stored?.item !== undefined) items.push(stored.item);
  }
  return items;
};

/** A message that was appended by another client. */
const itemOf = ({ role, content }: ContextMessage): AgentInputItem[] => {
  if (content === '') return [];
  switch (role.toLowerCase()) {
    case 'user':
    case 'human':
      return [{ role: 'user', content }];
    case 'assistant':
    case 'ai':
      return [{ role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: content }] }];
    case 'system':
      return [{ role: 'system', content }];
    default:
      return [];
  }
};

interface LooseItem {
  readonly type?: string;
  readonly role?: string;
  readonly content?: string | readonly { readonly text?: unknown }[];
}

/** The role and text of an item for readers of the conversation. Calls of tools are not part of what was said. */
const readable = ({
  type = 'message',
  role = 'assistant',
  content = '',
}: LooseItem): { role: string; text: string } => {
  if (type !== 'message') return { role: type.endsWith('_result') ? 'tool' : 'assistant', text: '' };
  const texts =
    typeof content === 'string' ? [content] : content.map(({ text }) => (typeof text === 'string' ? text : ''));
  return { role, text: texts.join('') };
};

/** JSON with sorted keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
