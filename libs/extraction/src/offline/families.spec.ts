import { describe, expect, it } from 'vitest';
import { examples as allergies } from './answers/allergic-to.js';
import { answerClause } from './answers/answer-clause.js';
import { examples as answers } from './answers/answer-examples.js';
import { examples as foods } from './answers/eats.js';
import { corrected, correctionIn, examples as corrections } from './corrections/correction.js';
import { examples as scenes, presentExamples, presentSceneOf, sceneOf } from './dates/scene.js';
import { aboutPerson, examples as acquaintances, introductions } from './facts/acquaintance.js';
import { announced, examples as announcements, notAnnounced } from './facts/announced.js';
import { danglingIn, examples as dangling } from './facts/dangling.js';
import { doneToMe, examples as doneTo } from './facts/done-to-me.js';
import { examples as hollow, isHollow } from './facts/hollow.js';
import { examples as recast, notRecast, recasts } from './facts/recast.js';
import { tokensOf } from './facts/tokens.js';
import { examples as touching, ownSuccess, successes, touchingSpeaker } from './facts/touches.js';
import { examples as code, isCode, withoutUrls } from './gates/code.js';
import { examples as injections, isInjection } from './gates/injection.js';
import { examples as languages, languageOf } from './gates/language.js';
import { examples as quotes, holdsQuotedSpeech, isForeignLine } from './gates/quoted.js';
import { examples as unreal, unrealIn } from './gates/unreal.js';
import { examples as telling, worthQuoting } from './quotes/worth-quoting.js';
import { examples as contracted, isOrHas } from './person/is-or-has.js';
import { circleOf, People } from './reference/circle.js';
import { examples as things, nameDefinite } from './reference/name-definite.js';
import { examples as parts, nameParts } from './reference/name-parts.js';
import { examples as pronouns, namePronoun } from './reference/name-pronoun.js';
import { examples as recommended, nameRecommended } from './reference/name-recommended.js';
import { examples as them, nameThem } from './reference/name-them.js';
import { examples as works, nameWork } from './reference/name-work.js';
import { examples as recalls, recalled } from './reference/recalled.js';
import { examples as speech, normaliseSpeech } from './speech/normalise.js';
import { examples as vietnameseDates, vietnameseTime, withVietnameseDates } from './vietnamese/dates.js';
import { examples as vietnamese, vietnameseFact } from './vietnamese/rules.js';

// Every family of rules contains its own examples; this file runs them as tests.

describe('languages', () => {
  it.each(languages)('%j is %s', (sentence, language) => {
    expect(languageOf(sentence)).toBe(language);
  });
});

describe('code', () => {
  it.each(code.code)('is %s', (line) => {
    expect(isCode(line)).toBe(true);
  });
  it.each(code.text)('is not %s', (line) => {
    expect(isCode(line)).toBe(false);
  });
  it('leaves a sentence without its addresses', () => {
    expect(withoutUrls('I run a blog at https://example.org/tea and bake')).toBe('I run a blog and bake');
  });
});

describe('instructions to the system', () => {
  it.each(injections.orders)('are in %s', (text) => {
    expect(isInjection(text)).toBe(true);
  });
  it.each(injections.talk)('are not in %s', (text) => {
    expect(isInjection(text)).toBe(false);
  });
});

describe('quoted speech', () => {
  it.each(quotes.quoted)('are in %s', (text) => {
    expect(holdsQuotedSpeech(text) || isForeignLine(text)).toBe(true);
  });
  it.each(quotes.own)('are not in %s', (text) => {
    expect(holdsQuotedSpeech(text) || isForeignLine(text)).toBe(false);
  });
});

describe('statements that are not literally true', () => {
  it.each(unreal.unreal)('is %s', (text) => {
    expect(unrealIn(text)).not.toBeNull();
  });
  it.each(unreal.real)('is not %s', (text) => {
    expect(unrealIn(text)).toBeNull();
  });
});

describe('words without a referent', () => {
  it.each(dangling.dangling)('are in %s', (text) => {
    expect(danglingIn(tokensOf(text))).not.toBeNull();
  });
  it.each(dangling.named)('are not in %s', (text) => {
    expect(danglingIn(tokensOf(text))).toBeNull();
  });
});

describe('clauses without content', () => {
  it.each(hollow.hollow)('are %s', (text) => {
    expect(isHollow(text)).toBe(true);
  });
  it.each(hollow.told)('are not %s', (text) => {
    expect(isHollow(text)).toBe(false);
  });
});

describe('what others did to the speaker', () => {
  it.each(doneTo)('%j is told as %j', (clause, expected) => {
    expect(doneToMe(clause)).toBe(expected);
  });
});

describe('naming a pronoun', () => {
  it.each(pronouns)('%j after %j, asked %j, is %j', (clause, before, question, expected, asked?: string) => {
    expect(namePronoun(clause, before, question, asked)).toBe(expected);
  });
});

describe('a clause about a person', () => {
  it.each(acquaintances)('%j after %j, asked %j, is read as %j', (clause, before, asked, expected) => {
    const message = {
      eventId: '2',
      sequence: 2,
      role: 'user',
      speaker: 'Lin',
      content: `${before} ${clause}`,
      at: '',
      source: null,
    };
    const other = { ...message, eventId: '1', sequence: 1, role: 'assistant', speaker: 'Nora', content: asked };
    const circle = circleOf([asked, message.content], ['Lin', 'Nora']);
    const mentioned = new People(circle, message, other, undefined).around(before);
    expect(aboutPerson(clause, mentioned)?.plain ?? null).toBe(expected);
  });
  it('keeps to a person whom the other side asks about', () => {
    const say = (role: string, content: string) => ({
      ...{
        eventId: content,
        sequence: 1,
        role,
        speaker: role === 'user' ? 'Lin' : 'Nora',
        content,
        at: '',
        source: null,
      },
    });
    const after = (asked: string) => {
      const [own, previous, message] = [
        say('user', 'I called my aunt.'),
        say('assistant', asked),
        say('user', 'x'),
      ] as const;
      const mentioned = new People(new Map(), message, previous, own).around('');
      return aboutPerson('she retired in May', mentioned)?.plain;
    };
    expect(after('How old is she?')).toBe('my aunt retired in May');
    expect(after('Aw, lovely!')).toBeUndefined();
  });
  it.each(introductions)('%j introduces %j', (text, names) => {
    expect([...circleOf([text], ['Lin', 'Nora']).keys()]).toEqual(names);
  });
});

describe("a subject's 's", () => {
  it.each(contracted)('makes %j %j', (clause, expected) => {
    expect(isOrHas(clause)).toBe(expected);
  });
});

describe('naming "them" across a comment', () => {
  it.each(them)('%j after %j is %j', (clause, before, expected) => {
    expect(nameThem(clause, before)).toBe(expected);
  });
});

describe('naming what was recommended', () => {
  it.each(recommended)('%j after %j and %j is %j', (clause, said, before, expected) => {
    expect(nameRecommended(clause, said, before)).toBe(expected);
  });
});

describe('naming the own work', () => {
  it.each(works)('%j after %j is %j', (clause, facts, expected, before) => {
    expect(nameWork(clause, facts, before)).toBe(expected);
  });
});

describe('an event that is recalled by a question', () => {
  it.each(recalls)('makes %j after %j mean %j', (clause, before, expected) => {
    expect(recalled(clause, before)).toBe(expected);
  });
});

describe('naming a definite thing', () => {
  it.each(things)('%j after %j, asked %j, is %j', (clause, before, question, expected) => {
    expect(nameDefinite(clause, before, question)).toBe(expected);
  });
});

describe('naming what parts belong to', () => {
  it.each(parts)('%j after %j, asked %j, is %j', (plain, before, question, expected) => {
    expect(nameParts(plain, before, question)).toBe(expected);
  });
});

describe('a fact that a clause announces or mentions', () => {
  it.each(announcements)('%j tells %j', (clause, expected) => {
    expect(announced(clause)).toContain(expected);
  });
  it.each(notAnnounced)('is not in %j', (clause) => {
    expect(announced(clause)).toEqual([]);
  });
});

describe('another wording of a clause', () => {
  it.each(recast)('%j tells %j', (clause, expected) => {
    expect(recasts(clause)).toContain(expected);
  });
  it.each(notRecast)('%j does not tell %j', (clause, wrong) => {
    expect(recasts(clause)).not.toContain(wrong);
  });
});

describe('the effect of something on the speaker', () => {
  it.each(touching)('%j tells %j', (clause, expected) => {
    expect(touchingSpeaker(clause)).toBe(expected);
  });
});

describe('the success of an event that the speaker took part in', () => {
  it.each(successes)('%j before %j tells %j', (clause, after, expected) => {
    expect(ownSuccess(clause, after)).toBe(expected);
  });
});

describe('the scene that a message sets', () => {
  it.each(scenes)('%j is %j', (before, time) => {
    expect(sceneOf(before, '2023-05-10T12:00:00Z')).toEqual(time);
  });
  it.each(presentExamples)('for %j after %j is %j', (clause, before, time) => {
    expect(presentSceneOf(clause, before, '2023-05-10T12:00:00Z')).toEqual(time);
  });
});

describe('spoken language', () => {
  it.each(speech)('%j is read as %j', (said, read) => {
    expect(normaliseSpeech(said)).toBe(read);
  });
});

describe('short answers', () => {
  it.each([...answers, ...allergies, ...foods])('%j – %j is %j', (question, answer, clause) => {
    expect(answerClause(question, answer)).toBe(clause);
  });
});

describe('corrections', () => {
  it.each(corrections.corrections)('%j is %j', (sentence, correction) => {
    expect(correctionIn(sentence)).toEqual(correction);
  });
  it.each(corrections.values)('%j with %j is %j', (clause, value, expected) => {
    expect(corrected(clause, value)).toBe(expected);
  });
});

describe('Vietnamese', () => {
  it.each(vietnamese)('%j is %j', (sentence, fact) => {
    expect(vietnameseFact(sentence, 'User', '2023-05-10T12:00:00Z')).toBe(fact);
  });
  it.each(vietnameseDates)('%j with dates is %j', (sentence, text, days) => {
    const at = '2023-05-10T12:00:00Z';
    expect(withVietnameseDates(sentence, at)).toBe(text);
    expect(vietnameseTime(sentence, at)).toEqual(days === null ? null : { from: days[0], to: days[1] });
  });
});

describe('worth quoting', () => {
  it.each(telling.quoted)('is %s', (content, quote) => {
    expect(worthQuoting(content, 'Nora')?.text).toBe(quote ?? content);
  });
  it.each(telling.left)('is not %s', (content) => {
    expect(worthQuoting(content, 'Nora')).toBeNull();
  });
});
