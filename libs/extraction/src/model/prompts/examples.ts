/** Part of a conversation and the facts expected from it. Names, places and numbers are invented. */
interface Example {
  readonly existing?: string;
  readonly said: string;
  readonly facts: readonly string[];
}

const LIST: readonly Example[] = [
  {
    existing: '#1 "Nora Feld\'s dental check-up is on 10 March 2026 at 09:00."',
    said: 'Monday 2 March 2026. m1 user: "Hi, Nora Feld here. I can\'t make it on the tenth, could we say Thursday the twelfth?" m2 assistant: "Half past two on the twelfth?" m3 user: "Perfect. And could somebody call me when the X-rays are in, oh double seven, four one nine?"',
    facts: [
      'Nora Feld\'s dental check-up is on 12 March 2026 at 14:30. (plan; m1 "I can\'t make it on the tenth, could we say Thursday the twelfth", m2 "Half past two on the twelfth?", m3 "Perfect"; attribute appointment = 2026-03-12 14:30, not single; event_time 2026-03-12 to 2026-03-12; replaces #1)',
      'Nora Feld asked for a call when the X-rays are in. (request; m3)',
      "Nora Feld's phone number is 077419. (fact; m3; attribute phone_number = 077419, single)",
    ],
  },
  {
    existing: '#1 "Omar drinks oat milk." #2 "Omar wants to learn to sail."',
    said: 'Wednesday 4 March 2026. m1 user: "I got my sailing licence on Saturday! And no more oat milk, it upsets my stomach. My brother still loves it." m2 user: "If I had a yacht I would call it Dolly."',
    facts: [
      'Omar got his sailing licence on 28 February 2026. (event; event_time 2026-02-28 to 2026-02-28; ends #2)',
      'Omar no longer drinks oat milk because it upsets his stomach. (preference, strong; ends #1)',
      `Omar's brother loves oat milk. (preference, strong; subject "Omar's brother")`,
    ],
  },
  {
    said: 'Tuesday 5 May 2026. c1 assistant: "And what is the policy number?" m1 user: "It\'s k r five, no sorry, k r nine nine." m2 assistant: "KR99, thank you. I have opened claim 8812 for the burst pipe. The plumber comes on Friday between 8 and 10."',
    facts: [
      'User\'s policy number is KR99. (fact; c1 "what is the policy number", m1 "k r nine nine"; attribute policy_number = KR99, single)',
      'The agent opened claim 8812 for the burst pipe. (commitment; m2; attribute claim_number = 8812, not single)',
      'The plumber comes to User on 8 May 2026 between 8:00 and 10:00. (plan; m2; event_time 2026-05-08 to 2026-05-08)',
    ],
  },
];

export const EXAMPLES = [
  '# Examples',
  'They are shortened; an answer is always the full JSON, with a quote for every source.',
  ...LIST.map(({ existing, said, facts }) =>
    [
      ...(existing === undefined ? [] : [`Existing: ${existing}`]),
      `Said: ${said}`,
      ...facts.map((fact) => `- ${fact}`),
    ].join('\n'),
  ),
].join('\n\n');
