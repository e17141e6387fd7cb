import { afterAll, beforeAll, describe } from 'vitest';
import { agentBase } from './second-calls/agentbase.js';
import { agoraActions, agoraActionsOfNumbers } from './second-calls/agora-actions.js';
import { agoraCallbacks } from './second-calls/agora-callbacks.js';
import { chatModel } from './second-calls/chat-model.js';
import { inworld } from './second-calls/inworld.js';
import { livekit } from './second-calls/livekit.js';
import { openAiRealtime } from './second-calls/openai-realtime.js';
import { ownApi, ownApiInOneSession, searchesAfterAnInterruption } from './second-calls/own-api.js';
import { pipecat } from './second-calls/pipecat.js';
import { secondCalls } from './second-calls/platform.js';
import { sqlite } from './second-calls/sqlite.js';
import { World } from './second-calls/world.js';
import { zegoActions } from './second-calls/zego-actions.js';
import { twoSpeakersInARound, zegoCallbacks } from './second-calls/zego-callbacks.js';

/** What the model is given when a user calls again, on each platform that is spoken here. */
describe.each(['no model', 'recorded model answers'] as const)('a second call, with %s', (extractor) => {
  const world = new World(extractor);
  beforeAll(world.start);
  afterAll(world.stop);

  secondCalls(ownApi(world));
  secondCalls(ownApiInOneSession(world));
  secondCalls(chatModel(world));
  secondCalls(agentBase(world));
  secondCalls(agoraActions(world));
  secondCalls(agoraActionsOfNumbers(world));
  secondCalls(agoraCallbacks(world));
  secondCalls(zegoActions(world));
  secondCalls(zegoCallbacks(world));
  secondCalls(inworld(world));
  secondCalls(sqlite(world));
  secondCalls(openAiRealtime(world));
  secondCalls(livekit(world));
  secondCalls(pipecat(world));

  searchesAfterAnInterruption(world);
  twoSpeakersInARound(world);
});
