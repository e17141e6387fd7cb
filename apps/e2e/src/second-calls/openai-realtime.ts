import type { Line } from './lines.js';
import type { Call, Platform } from './platform.js';
import type { World } from './world.js';

/**
 * A server that holds the socket of a Realtime session and forwards its events, with the same session id for every call
 * and without `call_id`, as on the page. It fetches the context for the instructions.
 */
export const openAiRealtime = (world: World): Platform => {
  let memoryId = '';
  let connectorId = '';
  let ids = 0;

  return {
    title: "OpenAI Realtime's events",
    users: ['mara.lindt@example.com', '2f6e1a9c-1c1f-4f7b-b1fc-5d0c8a4e7b36'],
    cutsByTime: true,
    start: async () => {
      memoryId = (await world.newMemory()).id;
      connectorId = await world.connect('openai-realtime', memoryId);
    },
    dial: async (actor): Promise<Call> => {
      const contexts = await world.contextsOf(memoryId, actor);
      const said: string[] = [];
      let lastWords = '';
      let previous: string | null = null;
      const forward = (events: readonly object[], more: object = {}): Promise<void> =>
        world.forward('openai-realtime', connectorId, {
          actor_id: actor,
          session_id: 'call-1',
          events: events.map((event) => ({ event_id: `event_${(ids += 1)}`, ...event })),
          ...more,
        });
      const added = (id: string, role: string, content: object): object => {
        const item = { id, object: 'realtime.item', type: 'message', status: 'in_progress', role, content: [content] };
        const event = { type: 'conversation.item.added', previous_item_id: previous, item };
        previous = id;
        return event;
      };
      const heard = (id: string, text: string): object[] => [
        added(id, 'user', { type: 'input_audio', transcript: null }),
        {
          type: 'conversation.item.input_audio_transcription.completed',
          item_id: id,
          content_index: 0,
          transcript: text,
          usage: { type: 'duration', seconds: 4 },
        },
      ];
      const answered = (id: string, { text, generated }: Line): object[] => {
        const isCut = generated !== undefined;
        const content = [{ type: 'output_audio', transcript: generated ?? text }];
        const response = {
          id: `resp_${id}`,
          object: 'realtime.response',
          status: isCut ? 'cancelled' : 'completed',
          status_details: isCut ? { type: 'cancelled', reason: 'turn_detected' } : null,
          usage: { total_tokens: 42 },
          output: [{ id, type: 'message', status: isCut ? 'incomplete' : 'completed', role: 'assistant', content }],
        };
        const cut = { type: 'conversation.item.truncated', item_id: id, content_index: 0, audio_end_ms: 1_450 };
        return [
          added(id, 'assistant', { type: 'output_audio', transcript: '' }),
          { type: 'response.done', response },
          ...(isCut ? [cut] : []),
        ];
      };
      await forward([{ type: 'session.created', session: { id: `sess_${ids}`, type: 'realtime' } }]);
      return {
        say: (line) => {
          said.push(`${line.role}: ${line.text}`);
          const id = `item_${(ids += 1)}`;
          if (line.role === 'assistant') return forward(answered(id, line));
          lastWords = line.text;
          return forward(heard(id, line.text));
        },
        modelInput: () => contexts(lastWords, said),
        hangUp: () => forward([], { ended: true }),
      };
    },
    settled: async () => {
      await world.untilFolded(connectorId);
      await world.stack.api.untilExtracted(memoryId);
    },
  };
};
