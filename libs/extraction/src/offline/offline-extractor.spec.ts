import { askAndRead, type ExtractionInput } from '@turnkeeper/application';
import { admit, type StrategyType, type WindowMessage } from '@turnkeeper/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OFFLINE_RULES_VERSION, OfflineExtractor } from './offline-extractor.js';

type Line = readonly [role: string, content: string, extra?: Partial<WindowMessage> | undefined];

const windowOf = (lines: readonly Line[]): WindowMessage[] =>
  lines.map(([role, content, extra], index) => ({
    eventId: `event-${index + 1}`,
    sequence: index + 1,
    role,
    speaker: null,
    content,
    at: '2023-05-10T12:00:00Z',
    source: null,
    ...extra,
  }));
const inputOf = (messages: readonly WindowMessage[], strategyType: StrategyType = 'SEMANTIC'): ExtractionInput => ({
  tenantId: 'tenant',
  strategyType,
  strategyVersion: 1,
  customPrompt: 'Food the user cannot eat, such as allergies',
  context: [],
  messages,
});
const extract = (input: ExtractionInput) => askAndRead(new OfflineExtractor(), input, new AbortController().signal);
const factsOf = async (lines: readonly Line[], type: StrategyType = 'SEMANTIC'): Promise<string[]> =>
  (await extract(inputOf(windowOf(lines), type))).candidates.map(({ text }) => text);

describe('OfflineExtractor', () => {
  it.each([
    ['My name is Bob and I work as a baker.', ["User's name is Bob.", 'User works as a baker.']],
    ['My boss was Ana and I quit my job.', ["User's boss was Ana.", 'User quit their job.']],
    ['My sister married Karl and I moved to Hue.', ["User's sister married Karl.", 'User moved to Hue.']],
    ['My friend Ana and I opened a shop.', ['User and their friend Ana opened a shop.']],
    ['I even baked a plum cake for my aunt.', ['User baked a plum cake for their aunt.']],
    ['My name is Xiaoming and I study law.', ["User's name is Xiaoming.", 'User studies law.']],
    ['On 3 May I opened a shop.', ['On 3 May, User opened a shop.']],
    ['In 2019 my sister moved to Hue.', ["In 2019, User's sister moved to Hue."]],
    ['Two weeks ago I moved to Hue.', ['In the week of 24 April 2023, User moved to Hue.']],
    ['My check-up is on 2023-05-14.', ["User's check-up is on 2023-05-14."]],
    ['我住在上海。I moved to Hue in 2019.', ['User moved to Hue in 2019.']],
  ])('tells a second statement from company: %s', async (said, facts) => {
    expect(await factsOf([['user', said]])).toEqual(facts);
  });

  it('turns what a user says into facts with quotes', async () => {
    const { candidates } = await extract(
      inputOf(
        windowOf([['user', 'Hey! Guess what, I moved from Hanoi to Hue last week, and I love the food there 😋']]),
      ),
    );
    expect(candidates).toEqual([
      {
        text: 'User moved from Hanoi to Hue (week of 1 May 2023).',
        sources: [{ eventId: 'event-1', quote: 'I moved from Hanoi to Hue last week' }],
        eventTime: { from: '2023-05-01', to: '2023-05-07' },
      },
    ]);
  });

  it('dates what is said in Vietnamese', async () => {
    const input = inputOf(windowOf([['user', 'Ngày mai tôi bay ra Huế.']]));
    const { candidates } = await extract(input);
    expect(candidates).toEqual([
      {
        text: 'Người dùng bay ra Huế (ngày 11/5/2023).',
        sources: [{ eventId: 'event-1', quote: 'Ngày mai tôi bay ra Huế.' }],
        eventTime: { from: '2023-05-11', to: '2023-05-11' },
      },
    ]);
    expect(
      admit({ ...{ candidates, window: input.messages, context: [], known: [], namespace: '/' }, newId: String })
        .refused,
    ).toEqual([]);
  });

  it.each(['customer', 'Caller', 'USER', 'human'])('reads the role %s as the user', async (role) => {
    expect(await factsOf([[role, 'I live in Hue.']])).toEqual(['User lives in Hue.']);
    expect(await factsOf([[role, 'I am allergic to nuts.']], 'USER_PREFERENCE')).toHaveLength(1);
  });

  it('counts messages with an unknown role and extracts nothing from them', async () => {
    const { candidates, skipped } = await extract(
      inputOf(
        windowOf([
          ['narrator', 'I live in Hue.'],
          ['system', 'I live in Hue.'],
        ]),
      ),
    );
    expect({ candidates, skipped }).toEqual({ candidates: [], skipped: { role: 1 } });
  });

  it.each([
    [
      'I finally finished my first short novel!',
      'Now I am going to submit it to a few contests.',
      'Now User is going to submit their first short novel to a few contests.',
      'event-1',
    ],
    [
      'I have a quiet week.',
      "I'll definitely add it to my list!",
      'User will definitely add "Moss" to their list.',
      'event-2',
    ],
  ])('cites the message that names what "it" means: %s %s', async (first, last, text, named) => {
    const { candidates } = await extract(
      inputOf(
        windowOf([
          ['user', first],
          ['assistant', 'I watched "Moss" and it was lovely.'],
          ['user', last],
        ]),
      ),
    );
    const fact = candidates.find((candidate) => candidate.text === text);
    expect(fact?.sources.map(({ eventId, context = false }) => [eventId, context])).toEqual(
      expect.arrayContaining([
        ['event-3', false],
        [named, true],
      ]),
    );
  });

  it('does not name "it" if two works may be meant', async () => {
    const facts = await factsOf([
      ['user', 'I finished my first novel. I also finished my memoir.'],
      ['assistant', 'Great!'],
      ['user', 'I am going to submit it to a few contests.'],
    ]);
    expect(facts.filter((text) => text.includes('submit'))).toEqual([]);
  });

  it('names the speaker', async () => {
    expect(
      await factsOf([
        ['assistant', 'I have booked you a table at Luigi for four people. The kitchen closes at 10 on Sundays.'],
        ['user', 'My wife works at the bank.', { speaker: 'Nam' }],
      ]),
    ).toEqual([
      'Assistant has booked Nam a table at Luigi for four people.',
      'Assistant said: The kitchen closes at 10 on Sundays.',
      "Nam's wife works at the bank.",
    ]);
  });

  it('tells what a person did whom the other side asks about, and cites where they are named', async () => {
    const { candidates } = await extract(
      inputOf(
        windowOf([
          ['user', 'I called my aunt Maud.'],
          ['assistant', 'How old is she?', { speaker: 'Nora' }],
          ['user', 'She turned ninety in May.'],
        ]),
      ),
    );
    const fact = candidates.find(({ text }) => text.includes('ninety'));
    expect(fact?.text).toContain("User's aunt Maud turned ninety");
    expect(fact?.sources).toContainEqual({ eventId: 'event-1', quote: 'I called my aunt Maud.', context: true });
  });

  it('resolves the pronoun of a sentence that refers to the previous one', async () => {
    expect(await factsOf([['user', 'My brother Anders is a carpenter. He lives in Turku.']])).toEqual([
      "User's brother Anders is a carpenter.",
      "User's brother Anders lives in Turku.",
    ]);
  });

  it('understands a short answer through its question, and cites both', async () => {
    const { candidates } = await extract(
      inputOf(
        windowOf([
          ['assistant', 'Lovely! What is your dog called?'],
          ['user', 'Milo.'],
        ]),
      ),
    );
    expect(candidates).toEqual([
      {
        text: "User's dog is called Milo.",
        sources: [
          { eventId: 'event-2', quote: 'Milo.' },
          { eventId: 'event-1', quote: 'What is your dog called?', context: true },
        ],
      },
    ]);
  });

  it.each([
    [
      'I snorkelled with my sister in Malta last week.',
      'User snorkelled with their sister in Malta (week of 1 May 2023).',
    ],
    ['Besides the workshops, I teach pottery to children.', 'User teaches pottery to children.'],
    ['Painting really helps me relax after work, it is great.', 'Painting really helps User relax after work.'],
    ['My sister and I were teammates for four years.', 'User and their sister were teammates for four years.'],
    ["Cello's mostly my thing. It is loud.", "Cello is mostly User's thing."],
    ['A dog bit us in the park.', 'A dog bit User in the park.'],
  ])('extracts from %j only its facts', async (said, fact) => {
    expect(await factsOf([['user', said]])).toEqual([fact]);
  });

  it.each([
    [
      'Nice. How often do you all workout together?',
      'Thanks! Three times a week; it helps.',
      ['User works out three times a week.'],
    ],
    [
      'How long have you been carving spoons?',
      "Seven years now, and I've sold forty spoons to a shop in Hue.",
      ['User has been carving spoons for seven years.', 'User has sold forty spoons to a shop in Hue.'],
    ],
    ['That plate is lovely! Did you make it?', 'Thanks, Linh. I made it in Hue.', ['User made a plate in Hue.']],
    ['That plate is lovely! Did you eat soup?', 'Thanks, Linh. I made it in Hue.', []],
  ])('reads %j – %j', async (asked, said, facts) => {
    expect(
      await factsOf([
        ['assistant', asked, { speaker: 'Linh' }],
        ['user', said],
      ]),
    ).toEqual(facts);
  });

  it.each([
    [
      'My brother Anders is a carpenter. He lives in Turku. He loves sailing.',
      [
        "User's brother Anders is a carpenter.",
        "User's brother Anders lives in Turku.",
        "User's brother Anders loves sailing.",
      ],
    ],
    [
      "I adopted a puppy named Toby in May. He's three months old. He loves ducks. His favourite toy is a duck.",
      [
        'User adopted a puppy named Toby (May 2023).',
        "User's puppy Toby is three months old.",
        "User's puppy Toby loves ducks.",
        "User's puppy Toby's favourite toy is a duck.",
      ],
    ],
    [
      'My brother Anders met my uncle Per. He lives in Turku. He loves sailing.',
      ["User's brother Anders met their uncle Per."],
    ],
    [
      'My sister is a cook. I met a man at a fair. He has a boat. He loves sailing.',
      ["User's sister is a cook.", 'User met a man at a fair.'],
    ],
    ['My friend Ana and I opened a bakery.', ['User and their friend Ana opened a bakery.']],
    ['Painted the kitchen with my aunt in May.', ['User painted the kitchen with their aunt (May 2023).']],
    ['Married for two years.', []],
  ])('names the person of further sentences: %j', async (said, facts) => {
    expect(await factsOf([['user', said]])).toEqual(facts);
  });

  it('names the listener', async () => {
    const lines: Line[] = [
      ['assistant', 'Hello!', { speaker: 'Nora' }],
      ['user', 'I read the novel you recommended on Sunday.', { speaker: 'Nam' }],
    ];
    expect((await factsOf(lines)).join()).toContain('Nora recommended');
  });

  it('does not accept an answer from the speaker of the question', async () => {
    expect(
      await factsOf([
        ['assistant', 'What is your dog called?'],
        ['assistant', 'Milo.'],
      ]),
    ).toEqual([]);
  });

  it('extracts nothing from context', async () => {
    const context = windowOf([['user', 'I live in Hue.']]);
    const messages = windowOf([['user', 'Thanks!', { eventId: 'event-9' }]]);
    expect((await extract({ ...inputOf(messages), context })).candidates).toEqual([]);
  });

  const SILENT: Line[] = [
    ['user', ''],
    ['user', '   '],
    ['user', '👍👍'],
    ['user', 'How are you? Do I have a meeting today?'],
    ['user', 'Hi there! Nice to hear from you. Thanks so much!'],
    ['user', 'Wow, that is amazing! I am so proud of you.'],
    ['user', 'Reading books aloud kept my brother up for hours.'],
    ['assistant', 'How can I help you today?'],
    ['assistant', 'I am your assistant and I live in the cloud.', { source: 'greeting' }],
    ['assistant', 'My systems are failing, I lost the connection.', { source: 'llm_failure' }],
    ['assistant', 'I am still here, my friend.', { source: 'silence' }],
    ['assistant', 'I remember that I live in Hue.', { source: 'memory' }],
    ['tool', 'My result is that I have 42 items in my cart.'],
    ['system', 'I am the system and my rules are strict.'],
  ];
  it.each(SILENT.map((line) => [line] as const))('finds nothing in %j', async (line) => {
    expect(await factsOf([line])).toEqual([]);
  });

  describe('by strategy', () => {
    const lines: Line[] = [
      ['user', 'I am allergic to peanuts. I live in Hue. I love jazz.'],
      ['assistant', 'I play the cello every Sunday in Hue.', { speaker: 'Nora' }],
    ];

    it('keeps facts of both sides for SEMANTIC', async () => {
      expect(await factsOf(lines, 'SEMANTIC')).toEqual([
        'User is allergic to peanuts.',
        'User lives in Hue.',
        'User loves jazz.',
        'Nora plays the cello every Sunday in Hue.',
      ]);
    });

    it("keeps the user's own preferences for USER_PREFERENCE", async () => {
      expect(await factsOf(lines, 'USER_PREFERENCE')).toEqual(['User is allergic to peanuts.', 'User loves jazz.']);
    });

    it('keeps what shares a word with the prompt for CUSTOM', async () => {
      expect(await factsOf(lines, 'CUSTOM')).toEqual(['User is allergic to peanuts.']);
    });

    it('reports for CUSTOM that rules cannot follow its prompt', async () => {
      const { skipped } = await extract(inputOf(windowOf([['user', 'I like tea.']]), 'CUSTOM'));
      expect(skipped).toEqual({ prompt: 1 });
    });

    it('keeps for SUMMARY what it keeps for SEMANTIC', async () => {
      const all = await factsOf(lines, 'SEMANTIC');
      expect((await factsOf(lines, 'SUMMARY')).every((fact) => all.includes(fact))).toBe(true);
    });
  });

  it('names its rules in every answer', async () => {
    const answer = await extract(inputOf(windowOf([['user', 'I live in Hue.']])));
    expect(answer).toMatchObject({ extractor: OFFLINE_RULES_VERSION, model: null });
    expect(answer.promptHash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.parse(answer.rawAnswer)).toEqual({
      ...{ rules: OFFLINE_RULES_VERSION, facts: answer.candidates, skipped: {} },
    });
  });

  it('stops when the caller aborts', async () => {
    const reason = new Error('gone');
    await expect(new OfflineExtractor().ask(inputOf([]), AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('returns only admissible facts, deterministically, for any input', { timeout: 60_000 }, async () => {
    const words = fc.constantFrom(
      ...'I my we our me you your it is am was have love went yesterday last week and but so the dog Hue 🌊 not can’t . ? ! , - ; " \n'.split(
        ' ',
      ),
    );
    const content = fc.oneof(
      { weight: 4, arbitrary: fc.array(words, { maxLength: 40 }).map((parts) => parts.join(' ')) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(content, { maxLength: 4 }), async (contents) => {
        const messages = windowOf(contents.map((text, index) => [index % 2 === 0 ? 'user' : 'assistant', text]));
        const { candidates } = await extract(inputOf(messages));
        expect((await extract(inputOf(messages))).candidates).toEqual(candidates);
        const { refused } = admit({ candidates, window: messages, known: [], namespace: '/', newId: String });
        expect(refused.filter(({ reason }) => reason !== 'not_text')).toEqual([]);
      }),
      { numRuns: 500, seed: 20_261_120 },
    );
  });

  it.each([
    ['dots', '.'],
    ['dashes', '-'],
    ['spaces', ' '],
    ['words', 'I have my we '],
    ['commas', 'I have, and '],
    ['questions', 'I am?, '],
    ['quotes', '"” '],
    ['one letter', 'a'],
    ['moves without a full stop', 'I moved to Hue last week and '],
    ['deeds', 'Last week was wild. I volunteered at the shelter. '],
    ['pronouns', 'She left. '],
  ])('needs little CPU for 100,000 characters of %s', { timeout: 60_000 }, async (_, part) => {
    const started = process.cpuUsage();
    await extract(inputOf(windowOf([['user', part.repeat(100_000 / part.length)]])));
    const { user, system } = process.cpuUsage(started);
    // At most 300 ms once the code is warm; the limit includes compilation.
    expect((user + system) / 1_000).toBeLessThan(2_000);
  });
});
