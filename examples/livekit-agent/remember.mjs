/**
 * Appends what is said in a LiveKit session: every `conversation_item_added` of the user and of the agent, in order, once.
 * A failed append is retried by the client; if it fails for good, `onError` is called, and the conversation goes on.
 *
 * The types are those of `@livekit/agents` by structure, so this file does not need the package.
 *
 * @param {{ on: (event: 'conversation_item_added', listener: (event: { item: LiveKitItem }) => void) => unknown,
 *   off: (event: 'conversation_item_added', listener: (event: { item: LiveKitItem }) => void) => unknown }} agentSession
 *   `voice.AgentSession`
 * @param {import('@turnkeeper/client').SessionHandle} session `turnkeeper.memory(id).session(userId, room)`
 * @param {{ onError?: (error: unknown) => void }} [options] `onError` default: a line on stderr
 * @returns {{ stop: () => Promise<void> }} `stop` resolves when everything that was said is stored: call it before the
 *   process ends (`ctx.addShutdownCallback(stop)`)
 *
 * @typedef {{ id: string, type: string, role?: string, textContent?: string, interrupted?: boolean,
 *   createdAt?: number }} LiveKitItem `createdAt` in ms
 */
export const rememberConversation = (agentSession, session, { onError = (error) => console.error(error) } = {}) => {
  /** @type {Promise<unknown>} */
  let appended = Promise.resolve();
  const listener = ({ item }) => {
    const { id, type, role, textContent, interrupted = false, createdAt } = item;
    // Handoffs, tool calls and instructions are not part of what was said.
    if (type !== 'message' || (role !== 'user' && role !== 'assistant')) return;
    if (textContent === undefined || textContent.trim() === '') return;
    const message = {
      role,
      content: textContent,
      metadata: { livekitItemId: id, interrupted },
      ...(createdAt === undefined ? {} : { at: new Date(createdAt) }),
    };
    // One after the other, and an item that is reported again has the same key.
    appended = appended.then(() => session.append(message, { idempotencyKey: `livekit-${id}` })).catch(onError);
  };
  agentSession.on('conversation_item_added', listener);
  return {
    stop: async () => {
      agentSession.off('conversation_item_added', listener);
      await appended;
    },
  };
};
