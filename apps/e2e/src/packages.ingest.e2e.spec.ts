import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, RUNTIMES } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { turn } from './harness/api.js';
import { launchBrowser, watchPage } from './harness/browser.js';
import { startCommand } from './harness/child-process.js';
import { faultsOf, ProjectOfUser, runExample } from './harness/packages.js';
import { Stack } from './harness/stack.js';
import { contentsOf } from './harness/traces.js';

/** What the program of each README prints, in its lines. */
const PRINTED: Readonly<Record<string, readonly string[]>> = {
  client: [
    '1 user I moved to Hue last month.',
    '2 assistant How do you like it?',
    '3 user It rains a lot.',
    'found: I moved to Hue last month.',
    'record: Linh prefers to be called in the morning.',
    'context: true',
    'error: 404 Append an event to it first.',
  ],
  'short-term-memory': [
    'USER: What is the capital of Andorra?',
    '',
    'ASSISTANT: The capital of Andorra is Andorra la Vella.',
    'assistant { tokens: 42 }',
    'The capital of Andorra is Andorra la Vella.',
  ],
  langgraph: ['Nice to meet you.', 'I moved to Hue.', 'Last time you said: I moved to Hue.'],
  tools: [
    'Stored: Linh is allergic to peanuts.',
    '- Linh is allergic to peanuts.',
    'I see 1 messages. I see 3 messages.',
    "[ 'remember', 'recall', 'forget', 'getContext' ]",
    "[ { role: 'user', content: 'Hello!' } ] { role: 'user', content: 'Hello!' } []",
  ],
};

const ENTRY_POINTS = [
  ...['client', 'short-term-memory', 'langgraph'],
  ...['tools', 'tools/langchain', 'tools/ai-sdk', 'tools/openai-agents'],
].map((path) => `@turnkeeper/${path}`);

/** Runtimes print objects in different layouts. */
const withoutLayout = (text: string): string =>
  text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/, ?(?=[}\]])| (?=[}\]])|(?<=[{[]) /g, '')
    .replaceAll('"', "'");

describe('the packages, installed from their tarballs into an empty project', () => {
  let stack: Stack;
  let project: ProjectOfUser;
  beforeAll(async () => {
    [stack, project] = await Promise.all([
      Stack.start({ worker: false, settings: { STREAM_CONTENT: 'full' } }),
      ProjectOfUser.create(),
    ]);
  });
  afterAll(() => Promise.all([stack?.stop(), project?.remove()]));

  it('have no faults in their manifests and types', async () => {
    expect((await project.installed()).sort()).toEqual(Object.keys(PRINTED).sort());
    for (const tarball of project.tarballs) expect([tarball, await faultsOf(tarball)]).toEqual([tarball, []]);
  });

  it('do what their READMEs say', async () => {
    const programs: Record<string, Record<string, string>> = { ours: {}, frameworks: {} };
    for (const name of Object.keys(PRINTED)) {
      const { program, examples } = await project.samplesOf(name);
      const group = programs[name === 'tools' || name === 'langgraph' ? 'frameworks' : 'ours']!;
      group[name] = program;
      for (const [index, example] of examples.entries()) group[`${name}-${index}`] = example;
    }
    expect(await project.compile(programs['ours']!)).toBe('');
    expect(await project.compile(programs['frameworks']!, { skipLibCheck: true })).toBe('');
    const env = { TURNKEEPER_URL: stack.api.url, TURNKEEPER_API_KEY: stack.api.apiKey ?? '' };
    for (const [name, printed] of Object.entries(PRINTED)) {
      expect((await project.run(name, env, process.execPath)).trim().split('\n')).toEqual(printed);
    }
    for (const [runtime, program] of Object.entries({ lts: RUNTIMES.node(), bun: RUNTIMES.bun() })) {
      for (const [name, printed] of Object.entries(PRINTED)) {
        const output = await project.run(name, env, program);
        expect([runtime, name, withoutLayout(output)]).toEqual([runtime, name, withoutLayout(printed.join('\n'))]);
      }
    }
  });

  it('can be required by CommonJS', async () => {
    for (const runtime of [process.execPath, RUNTIMES.node(), RUNTIMES.bun()]) {
      const exported = await project.exportsByRequire(ENTRY_POINTS, runtime);
      expect([runtime, exported]).toEqual([runtime, ENTRY_POINTS.map(() => true)]);
    }
  });

  it('contain a client that runs in a browser as it is', async () => {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      const faults = watchPage(page, stack.api.url);
      await page.route('**/client/**', async (route) => {
        const path = new URL(route.request().url()).pathname.slice('/client/'.length);
        const file = join(project.folder, 'node_modules/@turnkeeper/client/dist', path);
        await route.fulfill({ contentType: 'text/javascript', body: await readFile(file) });
      });
      await page.goto(`${stack.api.url}/livez`);
      const { id: memoryId } = await stack.api.createMemory({});
      const options = JSON.stringify({ baseUrl: stack.api.url, apiKey: stack.api.apiKey });
      const seen = await page.evaluate(`(async () => {
        const { Turnkeeper } = await import('/client/index.js');
        const memory = new Turnkeeper(${options}).memory('${memoryId}');
        const session = memory.session('linh', 'call-1');
        await session.append([{ role: 'user', content: 'I moved to Hue.' }, { role: 'assistant', content: 'How is it?' }]);
        const texts = [];
        for await (const event of session.events()) texts.push(event.payload.message);
        return texts;
      })()`);
      expect([seen, faults]).toEqual([['I moved to Hue.', 'How is it?'], []]);
    } finally {
      await browser.close();
    }
  });

  it('contain the command line', async () => {
    const env = { TURNKEEPER_URL: stack.api.url, TURNKEEPER_API_KEY: stack.api.apiKey ?? '' };
    const start = (args: readonly string[], settings: Record<string, string>) =>
      startCommand(project.command('turnkeeper'), args, settings);
    const run = async (args: readonly string[], settings: Record<string, string>) => {
      const started = start(args, settings);
      const { code } = await started.exited;
      return { code, output: started.output() };
    };
    const cli = (...args: string[]) => run(args, env);
    const lines = async (...args: string[]): Promise<string[]> => {
      const { code, output } = await cli(...args);
      expect([args[0], code, output]).toEqual([args[0], 0, output]);
      return output.split('\n');
    };
    const [created = ''] = await lines('memory', 'create', '--name', 'by-hand', '--namespace', '/facts/{actorId}');
    const memory = ['--memory', created.replace('Memory ', '')];
    const session = { memoryId: memory[1]!, actorId: 'ada', sessionId: 's' };
    await stack.api.append(session, turn('user', 'I moved to Hue.\n\u001b[31mred'));

    const tail = start(['session', 'tail', ...memory, '--actor', 'ada', '--session', 's'], env);
    const seen: string[] = [];
    tail.onLine((line) => seen.push(line));
    await eventually(() => seen.length === 1, { withinMs: 60_000, what: () => tail.output() });
    await stack.api.append(session, turn('assistant', 'How is it?'));
    await eventually(() => seen.length === 2, { withinMs: 60_000, what: () => tail.output() });
    await tail.end('SIGTERM');
    expect(seen.map((line) => line.replace(/\S+Z/, 'at').trim())).toEqual([
      '1  at  user: I moved to Hue. \ufffd[31mred',
      '2  at  assistant: How is it?',
    ]);

    const file = join(project.folder, 'memory.ndjson');
    const [found, shown, , imported, nowhere, unknown, unreachable, unusable] = await Promise.all([
      lines('search', 'help with the move to Hue', ...memory, '--actor', 'ada', '--json'),
      lines('memory', 'show', ...memory),
      lines('memory', 'list'),
      lines('export', ...memory, '--out', file).then(() => lines('import', file, '--ids', 'new', '--json')),
      cli('import', `${file}.nowhere`),
      cli('memory', 'show', '--memory', randomUUID()),
      run(['memory', 'list'], { ...env, TURNKEEPER_URL: 'http://127.0.0.1:1' }),
      cli('search', 'two', 'words'),
    ]);
    expect(JSON.parse(found[0]!)).toMatchObject({ actorId: 'ada', event: { sequence: 1 } });
    expect(shown[0]).toBe(`${memory[1]}  by-hand`);
    expect(JSON.parse(imported[0]!)).toMatchObject({ events: 2, records: 0 });
    const insert = `/memory/memories/${memory[1]}/memory-records:insert-directly?namespace=/facts/ada`;
    await stack.api.request('POST', insert, { body: ['Ada moved to Hue.', 'Ada likes Hue.'] });
    const facts = await lines('search', 'Hue', ...memory, '--namespace', '/facts/ada', '--limit', '1');
    expect(facts).toEqual([expect.stringMatching(/Hue\.$/)]);
    expect([nowhere.code, nowhere.output]).toEqual([
      1,
      `${file}.nowhere cannot be read. Give the path of an exported memory.`,
    ]);
    expect(unknown).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^There is no such memory\..*\(memory\.not_found\)$/) as string,
    });
    expect(unreachable).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1 cannot be reached\..*$/) as string,
    });
    const [version, migrated, stranger] = await Promise.all([
      lines('--version'),
      run(['migrate'], { MIGRATION_DATABASE_URL: stack.inspector.databaseUrl }),
      run(['key', 'create', '--tenant', 'stranger'], { DATABASE_URL: stack.inspector.databaseUrl }),
    ]);
    expect(version).toEqual(['0.1.0']);
    expect([migrated.code, migrated.output]).toEqual([0, 'The database is up to date.']);
    expect([stranger.code, stranger.output]).toEqual([
      1,
      expect.stringMatching(/^There is no tenant called stranger\..*$/),
    ]);
    expect([unusable.code, unusable.output.split('\n')[0]]).toEqual([
      2,
      'words is not expected; quote text with spaces.',
    ]);
  });

  it('include a command line whose README can be pasted', async () => {
    const memory = await stack.api.createMemory({ name: 'Pasted' });
    const session = { memoryId: memory.id, actorId: 'linh', sessionId: 'call-1' };
    await stack.api.append(session, turn('user', 'I moved to Hue last month.'));
    const databaseUrl = stack.inspector.databaseUrl;
    const readersOwn = {
      'https://memory.example.com': stack.api.url,
      'tk_…': stack.api.apiKey ?? '',
      ID: memory.id,
      acme: 'pasted',
    };
    const printed: string[][] = [];
    let exports = '';
    for (const line of await project.commandsOf('turnkeeper', readersOwn)) {
      if (line.startsWith('export ')) exports = `${line}; `;
      if (!line.startsWith('turnkeeper ')) continue;
      const command = startCommand('/bin/bash', ['-euc', `cd '${project.folder}'; ${exports}exec ${line}`], {
        PATH: `${join(project.folder, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
        DATABASE_URL: databaseUrl,
        MIGRATION_DATABASE_URL: databaseUrl,
      });
      if (line.includes(' tail ')) {
        await eventually(() => command.output().includes('moved to Hue'), {
          withinMs: 60_000,
          what: () => command.output(),
        });
        await command.end('SIGTERM');
      }
      const { code } = await command.exited;
      const [name = ''] = /^turnkeeper (--help|[a-z]+( [a-z]+)?)/.exec(line) ?? [];
      printed.push([name, line.includes(' tail ') ? 'ended' : String(code), command.output()]);
    }
    const text = (pattern: RegExp): unknown => expect.stringMatching(pattern);
    expect(printed).toEqual([
      ['turnkeeper --help', '0', text(/Usage/)],
      ['turnkeeper memory list', '0', text(/Pasted/)],
      ['turnkeeper session tail', 'ended', text(/user: I moved to Hue last month\./)],
      ['turnkeeper search', '0', text(/moved to Hue/)],
      ['turnkeeper export', '0', ''],
      ['turnkeeper migrate', '0', 'The database is up to date.'],
      ['turnkeeper tenant create', '0', text(/^Tenant /)],
      ['turnkeeper key create', '0', text(/tk_/)],
      ['turnkeeper rebuild', '0', text(/./)],
    ]);
    expect(await readFile(join(project.folder, 'memory.ndjson'), 'utf8')).toContain('I moved to Hue last month.');
  });

  it('are used by the agent of the AgentBase guide, which remembers its user in a second session', async () => {
    const env = { TURNKEEPER_URL: stack.api.url, TURNKEEPER_API_KEY: stack.api.apiKey ?? '', USER_ID: 'linh' };
    const talk = async (said: string, settings: Record<string, string> = {}) => {
      const [place = '', ...answers] = await runExample('langgraph-agent/agent.mjs', { ...env, ...settings }, said);
      return { place: Object.fromEntries(place.split(' ').map((each) => each.split('='))) as Known, answers };
    };
    interface Known extends Record<string, string> {
      readonly MEMORY_ID: string;
      readonly MEMORY_STRATEGY_ID: string;
      readonly SESSION_ID: string;
    }
    const first = await talk('I am allergic to peanuts.\n');
    expect(first.answers).toEqual(['Stored: I am allergic to peanuts.']);
    const { SESSION_ID, ...memory } = first.place;
    const [second, stranger, resumed] = await Promise.all([
      talk('Am I allergic to peanuts?\n', { ...memory, SESSION_ID: 'second' }),
      talk('Am I allergic to peanuts?\n', { ...memory, USER_ID: 'bob' }),
      talk('What did I say first?\n', first.place),
    ]);
    expect(second.answers).toEqual(['- I am allergic to peanuts.']);
    expect(stranger.answers).toEqual(['No relevant memories found.']);
    expect([SESSION_ID === 'second', resumed.answers]).toEqual([false, ['I am allergic to peanuts.']]);
  });

  it('are used by the example of a support bot, which remembers its user in a later session', async () => {
    const env = { TURNKEEPER_URL: stack.api.url, TURNKEEPER_API_KEY: stack.api.apiKey ?? '' };
    const [memory = '', greeting] = await runExample('support-bot/bot.mjs', env, 'I moved to Hue last month.\n');
    expect(greeting).toBe('Nice to meet you! How can I help?');
    const later = await runExample(
      'support-bot/bot.mjs',
      { ...env, MEMORY_ID: memory.replace('MEMORY_ID=', '') },
      'Did I move?\n',
    );
    expect(later.join('\n')).toContain('I moved to Hue last month.');
  });

  it('are followed by the example of a subscriber', async () => {
    const memory = await stack.api.createMemory({});
    const session = { memoryId: memory.id, actorId: 'linh', sessionId: 'call-1' };
    await stack.api.append(session, turn('user', 'I moved to Hue last month.'));
    await stack.api.append(session, turn('assistant', 'How do you like it?'));
    const isPublished = async () => (await contentsOf(stack)).some((text) => text.includes('How do you like it?'));
    await eventually(isPublished, { withinMs: 60_000, everyMs: 50, what: 'both turns are published' });
    const { NATS_URL = '', NATS_STREAM = '', NATS_SUBJECT_PREFIX = '' } = stack.settings;
    const env = { NATS_URL, NATS_STREAM, NATS_SUBJECT_PREFIX, MEMORY_ID: memory.id, COUNT: '2' };
    expect(await runExample('event-subscriber/subscribe.mjs', env, '')).toEqual([
      'linh/call-1 user: I moved to Hue last month.',
      'linh/call-1 assistant: How do you like it?',
    ]);
  });
});
