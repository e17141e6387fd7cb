/** A short support call, for the first start: who said what, with a few things worth remembering. */
export const sample = {
  memory: {
    name: 'sample',
    description: 'The sample conversation of the first start.',
    eventExpiryDuration: 90,
    longTermMemoryStrategies: [
      {
        name: 'facts',
        type: 'SEMANTIC',
        namespaceTemplate: '/facts/{actorId}',
        enableAutomaticMemoryRecordGeneration: true,
      },
    ],
  },
  actorId: 'maya',
  sessionId: 'support-call-1',
  namespace: '/facts/maya',
  agent: {
    name: 'grocery-support',
    vendor: 'custom',
    systemMessages: [{ role: 'system', content: 'You are the support agent of a grocery delivery.' }],
  },
  turns: [
    ['user', 'Hi, I need to change my delivery address. I moved to Lisbon last month.'],
    ['assistant', 'Welcome to Lisbon. Which address shall I put down?'],
    ['user', 'Rua das Flores 14, second floor. My name is Maya Lindqvist.'],
    ['assistant', 'Thank you, Maya. The address is changed. Anything else about your weekly box?'],
    ['user', "Yes. I'm allergic to peanuts, so please leave the granola out."],
    ['assistant', 'I have taken the granola out and put a note on the order.'],
    ['user', 'And I prefer text messages to phone calls, because I work night shifts at the hospital.'],
    ['assistant', 'Understood: texts only. Your next box comes on Thursday evening.'],
    ['user', 'Perfect, thanks. I love the oat milk, keep that coming.'],
    ['assistant', 'Will do. Have a good night, Maya.'],
  ],
  search: 'Which city does she live in?',
};
