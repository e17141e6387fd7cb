import { describe, expect, it } from 'vitest';
import { slotOf } from './slot.js';
import { supersede } from './supersede.js';

/** Ids of the statements that a later one ends. */
const ended = (...said: readonly (readonly [day: string, text: string])[]): string[] =>
  supersede(
    said.map(([day, text], index) => ({
      recordId: String(index),
      statedAt: `${day}T12:00:00Z`,
      slot: slotOf(text),
    })),
  ).map(({ recordId, by }) => `${recordId} by ${by}`);

describe('the outcome of a plan', () => {
  it('ends it if it took place in the planned month', () => {
    expect(
      ended(
        ['2026-04-20', 'User is going to a conference (May 2026).'],
        ['2026-05-20', 'User went to an arts conference (18 May 2026).'],
      ),
    ).toEqual(['0 by 1']);
  });

  it('does not end it if it took place in another month', () => {
    expect(
      ended(
        ['2026-04-20', 'User is going to a conference (May 2026).'],
        ['2026-04-28', 'User went to an arts conference (27 April 2026).'],
      ),
    ).toEqual([]);
  });

  it('does not end an undated plan made long before it', () => {
    const plan = ['2026-01-10', 'User is practising for a tournament.'] as const;
    expect(ended(plan, ['2026-02-10', 'User won a tournament.'])).toEqual(['0 by 1']);
    expect(ended(plan, ['2026-06-10', 'User won a tournament.'])).toEqual([]);
  });

  it.each([
    ['User applied for a scholarship.', 'User got a no for the scholarship.'],
    ['User had an interview for an internship (10 May 2026).', 'User was accepted for the internship.'],
    ['User is negotiating with Orchid.', 'User signed with Orchid.'],
    ['User failed the driving test.', 'User retook the driving test with a good result.'],
    ['User wants to open a bakery.', 'User now runs their own bakery.'],
    ['User is on the lookout for a new flat.', 'User found a flat.'],
    ['User is preparing for a recital.', "User's recital was postponed."],
    ["User's exam was moved to Friday.", 'User passed the exam.'],
    ['User is organising a garden party.', "User's garden party was a success."],
  ])('in other words: "%s" ends with "%s"', (plan, outcome) => {
    expect(ended(['2026-05-12', plan], ['2026-05-30', outcome])).toEqual(['0 by 1']);
    expect(ended(['2026-05-12', outcome], ['2026-05-30', plan])).toEqual([]);
  });

  it.each([
    ['User applied for a scholarship.', 'User was accepted for the internship.'],
    ['User is negotiating with Orchid.', 'User signed with Maple.'],
    ['User failed the driving test.', 'User passed the swimming test.'],
    ['User wants to open a bakery.', 'User runs their own studio.'],
  ])('is not that of another plan: "%s" and "%s"', (plan, outcome) => {
    expect(ended(['2026-05-12', plan], ['2026-05-30', outcome])).toEqual([]);
  });

  it('leaves it in place when the next one is planned', () => {
    expect(
      ended(['2026-02-10', 'User won a tournament.'], ['2026-03-10', 'User is practising for a tournament.']),
    ).toEqual([]);
  });
});

describe('current activities', () => {
  const first = ['2026-01-10', 'User is reading a novel called "Waves".'] as const;

  it('are replaced by the next one', () => {
    expect(ended(first, ['2026-02-10', 'User is reading a book about bees.'])).toEqual(['0 by 1']);
  });

  it('are named at once', () => {
    expect(
      ended(['2026-01-10', 'User is reading a book that they enjoy.'], ['2026-01-10', 'User is reading "Waves".']),
    ).toEqual(['0 by 1']);
  });

  it('are not replaced by another one if neither is named', () => {
    expect(
      ended(
        ['2026-01-10', 'User is reading a book that they enjoy.'],
        ['2026-03-10', 'User is reading a long series about bees.'],
        ['2026-04-10', 'User has been working on a project.'],
        ['2026-05-10', 'User is working on a project - a hard one.'],
      ),
    ).toEqual([]);
  });

  it('may be two on one day', () => {
    expect(ended(first, ['2026-01-10', 'User is reading a book about bees.'])).toEqual([]);
  });
});

describe('jobs', () => {
  it('end with the loss, and the loss ends with the next job', () => {
    expect(
      ended(
        ['2026-01-10', 'User is really enjoying their new job.'],
        ['2026-03-10', 'User lost their job at the bank.'],
        ['2026-05-10', 'User works at Acme.'],
      ),
    ).toEqual(['0 by 2', '1 by 2']);
  });
});
