/** A short support call for the first start, with a few facts worth remembering. */
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
    ['user', 'Hi, my name is Maya. I moved to Lisbon last month, so my delivery address is out of date.'],
    ['assistant', 'Welcome to Lisbon, Maya. Which address shall I put down?'],
    ['user', 'Rua das Flores 14, second floor.'],
    ['assistant', 'The address is changed. Anything else about your weekly box?'],
    ['user', "Yes. I'm allergic to peanuts. Please leave the granola out."],
    ['assistant', 'The granola is out, and there is a note on the order.'],
    ['user', 'I prefer text messages to phone calls. I work night shifts at the hospital.'],
    ['assistant', 'Understood: texts only. Your next box comes on Thursday evening.'],
    ['user', 'Perfect, thanks. I love oat milk.'],
    ['assistant', 'Oat milk it is. Have a good night, Maya.'],
  ],
  search: 'What is she allergic to?',
};
