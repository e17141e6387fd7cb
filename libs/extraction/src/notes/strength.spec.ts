import { describe, expect, it } from 'vitest';
import { strengthOf } from './strength.js';

describe('the strength of a preference', () => {
  it.each([
    ['User loves jasmine tea.', 'strong'],
    ['User hates waiting on the phone.', 'strong'],
    ['User is allergic to peanuts.', 'strong'],
    ['User cannot eat gluten.', 'strong'],
    ["User's favourite colour is green.", 'strong'],
    ['User never works on Sundays.', 'strong'],
    ['User likes tea.', 'moderate'],
    ['User prefers trains to planes.', 'moderate'],
    ['User enjoys hiking.', 'moderate'],
    ['User does not like coffee.', 'moderate'],
    ['User usually gets up at six.', 'moderate'],
    ['User is okay with mornings.', 'weak'],
    ['User does not mind the rain.', 'weak'],
    ['User does not really like jazz.', 'weak'],
    ['User does not love jazz.', 'weak'],
    ['User sometimes drinks beer.', 'weak'],
    ['Ngài thích trà.', 'moderate'],
    ['Soy alérgica a los mariscos.', 'strong'],
    ['A veces bebo té.', 'weak'],
    ['Ich esse niemals Fleisch.', 'strong'],
    ['Ich mag Tee.', 'moderate'],
    ["J'adore le thé.", 'strong'],
    ['Odeio esperar.', 'strong'],
    ['Tôi bị dị ứng với tôm.', 'strong'],
    ['Thỉnh thoảng tôi uống trà.', 'weak'],
    ['我对花生过敏。', 'strong'],
    ['我喜欢喝茶。', 'moderate'],
  ])('of %j is %s', (text, strength) => {
    expect(strengthOf(text)).toBe(strength);
  });
});
