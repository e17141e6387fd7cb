import { describe, expect, it } from 'vitest';
import { detectLanguage } from './languages.js';
import { termsOf, wordsOf } from './tokenise.js';

describe('the words of a text', () => {
  it('are in lower case, without possessives and apostrophes', () => {
    expect(wordsOf("Ada's dog DIDN'T bark; it’s 3.5 years", 'en')).toEqual([
      'ada',
      'dog',
      'didnt',
      'bark',
      'it',
      '3',
      '5',
      'years',
    ]);
  });
  it('are found in French and Italian behind an elided article, in any guess of the language', () => {
    expect([...termsOf("J'ai fêté l'anniversaire d’Émile", 'fr').keys()]).toEqual([
      ...termsOf('fêté anniversaire Émile', 'fr').keys(),
    ]);
    expect(wordsOf("all'arrivo dell'inverno, l'hiver", 'it')).toEqual(['arrivo', 'inverno', 'hiver']);
    expect(wordsOf("L'anniversaire, didn't, o'clock, rock'n'roll", 'en')).toEqual([
      ...['anniversaire', 'didnt', 'oclock', 'rocknroll'],
    ]);
  });
  it('are counted as stems, without stop words', () => {
    expect([...termsOf('I was running and he runs', 'en')]).toEqual([['run', 2]]);
  });
  it('are found in Vietnamese with and without diacritics', () => {
    const [written, typed] = ['Tôi thích phở bò ở Hà Nội', 'toi thich pho bo o ha noi'].map((text) => [
      ...termsOf(text, 'vi').keys(),
    ]);
    expect(written).toEqual(typed);
    expect(written).toEqual(['thich', 'pho', 'bo', 'ha', 'noi']);
  });
  it('are segmented in scripts without spaces', () => {
    expect([...termsOf('我昨天在北京大学吃了饺子', 'zh').keys()]).toEqual(expect.arrayContaining(['北京', '饺子']));
    expect(wordsOf('ฉันชอบกินข้าว', 'th').length).toBeGreaterThan(2);
  });
  it('are limited in number, in linear time', () => {
    expect(wordsOf('a'.repeat(100_000), 'en')).toEqual(['a'.repeat(64)]);
    expect(wordsOf('w '.repeat(100_000), 'en')).toHaveLength(4_000);
    expect(wordsOf('语'.repeat(100_000), 'zh').length).toBeLessThanOrEqual(4_000);
  });
});

describe('the language of a text', () => {
  it.each([
    ['What did she say about the trip?', 'en'],
    ['Tôi đã chuyển đến Huế tháng trước', 'vi'],
    ['toi khong thich cua hang nay', 'vi'],
    ['我上个月搬到了上海', 'zh'],
    ['昨日は東京に行きました', 'ja'],
    ['Ich habe ein neues Auto und es ist nicht billig', 'de'],
    ['Thanks, Maria. These walks give me a clear head.', 'en'],
    ['ok', 'en'],
  ])('%s is %s', (text, language) => expect(detectLanguage(text)).toBe(language));
  it('is that of the session if the text is undecidable', () => expect(detectLanguage('ok', 'vi')).toBe('vi'));
});
