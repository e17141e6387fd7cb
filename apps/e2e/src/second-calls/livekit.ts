import type { Line } from './lines.js';
import type { Call, Platform } from './platform.js';
import type { World } from './world.js';

/**
 * An agent of LiveKit, whose process forwards the events of its session. All calls are in rooms of the same name; each
 * room has an id. LiveKit cuts the text of an interrupted answer to what was played.
 */
export const livekit = (world: World): Platform => {
  let memoryId = '';
  let connectorId = '';
  let rooms = 0;
  let newest = 0;
  /** Seconds; later at each call, as no two lines are said at once. */
  const now = (): number => (newest = Math.max(newest + 0.001, Date.now() / 1_000));

  return {
    title: "LiveKit's events",
    users: ['phone_+4930901820', 'phone_+4930901821'],
    start: async () => {
      memoryId = (await world.newMemory()).id;
      connectorId = await world.connect('livekit', memoryId);
    },
    dial: async (actor): Promise<Call> => {
      const room = `RM_${(rooms += 1)}`;
      const contexts = await world.contextsOf(memoryId, actor);
      const said: string[] = [];
      let lastWords = '';
      const forward = (...events: readonly object[]): Promise<void> =>
        world.forward('livekit', connectorId, { actor_id: actor, session_id: 'clinic', call_id: room, events });
      const added = ({ role, text, generated }: Line): object => ({
        type: 'conversation_item_added',
        item: {
          ...{ id: `item_${room}_${said.length}`, type: 'message', role, content: [text] },
          ...{ interrupted: generated !== undefined, transcript_confidence: null, extra: {}, metrics: {} },
          created_at: now(),
        },
        created_at: now(),
      });
      const transcribed = (transcript: string): object => ({
        ...{ type: 'user_input_transcribed', transcript, is_final: true, speaker_id: null, language: 'en' },
        created_at: now(),
      });
      const state = { type: 'agent_state_changed', old_state: 'initializing', new_state: 'listening' };
      await forward({ ...state, created_at: now() });
      return {
        say: (line) => {
          said.push(`${line.role}: ${line.text}`);
          if (line.role === 'assistant') return forward(added(line));
          lastWords = line.text;
          return forward(transcribed(line.text), added(line));
        },
        modelInput: () => contexts(lastWords, said),
        hangUp: () => forward({ type: 'close', error: null, reason: 'participant_disconnected', created_at: now() }),
      };
    },
    settled: async () => {
      await world.untilFolded(connectorId);
      await world.stack.api.untilExtracted(memoryId);
    },
  };
};
