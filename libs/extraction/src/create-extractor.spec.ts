import { describe, expect, it } from 'vitest';
import { createExtractor } from './create-extractor.js';
import { OpenAiCompatibleExtractor } from './model/openai-compatible-extractor.js';
import { NotesExtractor } from './notes/notes-extractor.js';

describe('createExtractor', () => {
  it.each([[{}], [{ baseUrl: '' }], [{ baseUrl: undefined, model: 'm', apiKey: 'k' }]])(
    'takes notes if no endpoint is set: %j',
    (config) => {
      expect(createExtractor(config)).toBeInstanceOf(NotesExtractor);
    },
  );

  it('uses the model client if an endpoint is set', () => {
    expect(createExtractor({ baseUrl: 'http://localhost:11434/v1', model: 'm' })).toBeInstanceOf(
      OpenAiCompatibleExtractor,
    );
  });

  it.each([
    [{ baseUrl: 'not a url', model: 'm' }, 'LLM_BASE_URL'],
    [{ baseUrl: 'file:///etc/passwd', model: 'm' }, 'LLM_BASE_URL'],
    [{ baseUrl: 'http://localhost/v1' }, 'LLM_MODEL'],
  ])('names the invalid setting but not its value: %j', (config, name) => {
    expect(() => createExtractor(config)).toThrow(name);
    expect(() => createExtractor(config)).not.toThrow(/passwd|not a url/);
  });
});
