/** The data of the example in Agora's guide on short-term memory ("Understand the tech"). */
export const CONTENTS = [
  {
    role: 'assistant',
    content: 'How can I help you today?',
    turn_id: 1,
    timestamp: 1678901234,
    metadata: { source: 'greeting' },
  },
  {
    role: 'user',
    content: 'Can you tell me a joke?',
    turn_id: 2,
    timestamp: 1678901235,
    metadata: { source: 'asr', user: 'user123' },
  },
  {
    role: 'assistant',
    content: 'Why did the scarecrow ',
    turn_id: 2,
    timestamp: 1678901236,
    metadata: {
      interrupted: true,
      interrupt_timestamp: 1678905225,
      original: 'Why did the scarecrow win an award? Because he was outstanding in his field!',
      source: 'llm',
    },
  },
  {
    role: 'user',
    content: 'You know what? Tell me a story instead.',
    turn_id: 3,
    timestamp: 1678905235,
    metadata: { source: 'asr', user: 'user123' },
  },
  {
    role: 'assistant',
    content: 'Once upon a time in a land far away, there lived a brave knight who fought dragons and saved princesses.',
    turn_id: 3,
    timestamp: 1678905236,
    metadata: { source: 'llm' },
  },
  {
    role: 'assistant',
    content: 'Are you still there?',
    turn_id: 4,
    timestamp: 1678905236,
    metadata: { source: 'command' },
  },
];
export const PLAIN = { messages: CONTENTS.map(({ role, content }) => ({ role, content })) };
export const CUSTOM = { messages: CONTENTS, turn_id: 4, timestamp: 1678905236, interruptable: true, model: 'xxxx' };
/** The data of "Convert to long-term memory". */
export const SYSTEM_MESSAGES = [
  { role: 'system', content: 'You are a helpful assistant. xxx' },
  {
    role: 'system',
    content: 'Previously, user has talked about their favorite hobbies with some key topics: xxx',
  },
];
