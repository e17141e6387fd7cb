/** Part of a conversation and the facts expected from it. Names and places are invented. */
interface Example {
  readonly name: string;
  readonly existing?: string;
  readonly said: string;
  readonly facts: string;
}

const LIST: readonly Example[] = [
  {
    name: 'A correction: only what was meant counts.',
    said: 'm1 user, Monday 2 March 2026: "Our vet visit is on Thursday. No, wait, on Friday."',
    facts: '"User has a vet visit on Friday, 6 March 2026." (event_time 2026-03-06 to 2026-03-06, new)',
  },
  {
    name: 'A change: the new fact replaces the old record.',
    existing: '#1 "User works at Pinecrest Dental."',
    said: 'm1 user: "I handed in my notice at Pinecrest, from April on I teach at the harbour school."',
    facts:
      '"User teaches at the harbour school from April 2026." (event_time 2026-04-01 to null, replaces #1: changed jobs)',
  },
  {
    name: 'A negation stays one; the same fact in other words adds a source.',
    existing: '#1 "User does not drink alcohol."',
    said: 'm1 user: "No wine for me, I never touch the stuff. And I have no siblings."',
    facts: '"User does not drink alcohol." (sameAs #1), "User has no siblings." (new)',
  },
  {
    name: 'What is imagined, or said in jest, is none.',
    said: 'm1 user: "If I had a yacht I would call it Dolly. Oh lovely, rain again, my favourite."',
    facts: 'none',
  },
  {
    name: "Somebody else's words are no fact about the speaker.",
    said: 'm1 user: "My flatmate Ode keeps saying \'I hate this town\'."',
    facts: '"User has a flatmate called Ode." (new)',
  },
  {
    name: 'A temporary state ends, and replaces nothing.',
    existing: '#1 "User lives in Tromsø."',
    said: 'm1 user, Wednesday 4 March 2026: "I am at my aunt\'s in Bodø until Sunday."',
    facts: '"User is staying at their aunt\'s in Bodø until 8 March 2026." (event_time 2026-03-04 to 2026-03-08, new)',
  },
];

export const EXAMPLES = [
  'Examples, shortened (an answer is always the full JSON):',
  ...LIST.map(({ name, existing, said, facts }) =>
    [
      `- ${name}`,
      ...(existing === undefined ? [] : [`  Existing: ${existing}`]),
      `  Said: ${said}`,
      `  Facts: ${facts}`,
    ].join('\n'),
  ),
].join('\n');
