import { describe, expect, it } from 'vitest';
import { slotOf } from '../slot.js';
import { supersede } from '../supersede.js';

const ends = (wish: string, later: string, days = ['2026-05-12', '2026-06-30']): boolean =>
  supersede(
    [wish, later].map((text, index) => ({
      recordId: String(index),
      statedAt: `${days[index] ?? ''}T12:00:00Z`,
      slot: slotOf(text),
    })),
  ).length === 1;

describe('a title to watch or read', () => {
  it.each([
    ['User will definitely add "Moss" to their list.', 'User watched "Moss" recently.'],
    ['User is going to check "Moss" out.', 'User finally read "Moss".'],
    ['User wants to read a novel called "Moss".', 'User just read "Moss" (week of 1 June 2026).'],
    ['User is so eager to see a play called "Moss".', 'User and their wife saw "Moss" at the cinema.'],
    ['User hasn\'t seen "Moss" yet.', 'User saw the film "Moss".'],
    ['User has been meaning to read "Moss".', 'User recently read "Moss" by Ana Diaz.'],
    ['User will give "Moss" a try.', 'User watched the series "Moss".'],
  ])('is known in the end: "%s" and "%s"', (wish, known) => {
    expect(ends(wish, known)).toBe(true);
    expect(ends(known, wish)).toBe(false);
  });

  it.each([
    ['User wants to watch "Moss".', 'User watched "Moss and Stone".'],
    ['User wants to watch "Moss".', 'Ana watched "Moss".'],
    ['User wants to watch "Moss".', 'User watched the "Moss" trailer.'],
    ['User wants to watch "Moss".', 'User watched "Moss" trailers.'],
    ['User wants to watch "Moss".', 'User saw a "Moss" poster.'],
    ['User wants to read "Moss".', 'User saw "Moss" in a shop.'],
    ['User wants to read "Moss".', 'User read a review of "Moss".'],
    ['User wants to read "Moss".', 'User never read "Moss".'],
    ['User wants to watch "Moss" again.', 'User watched "Moss".'],
    ['User wants to read "Moss".', 'User read "Moss" (2009).'],
    ['User will give "Moss" to Ana.', 'User read "Moss".'],
    ['User will put "Moss" on the shelf.', 'User read "Moss".'],
    ['User thinks about reading "Moss".', 'User read "Moss".'],
    ['User wants to read "Moss".', 'User watched the film "Moss".'],
    ['User hasn\'t watched "Moss" yet.', 'User read "Moss".'],
    ['User wants to read "Moss".', 'User read "Moss" to their kids.'],
    ['User is reading "Moss".', 'User is reading "Tides" every night to their kids.'],
    ['User is reading a book about owls.', 'User is reading an article about bees.'],
  ])('is not something similar: "%s" and "%s"', (wish, other) => {
    expect(ends(wish, other)).toBe(false);
  });
});

describe('a sight to see', () => {
  it.each([
    ['User dreams of seeing temples in Japan one day.', 'User toured a temple on their first visit to Japan.'],
    ['User would love to see the old lighthouse in Rovinj.', 'User visited the lighthouse in Rovinj with their kids.'],
    ['User wants to visit a volcano.', 'User finally went to see a volcano.'],
    ['User is looking forward to visiting the zoo.', 'User went to the zoo yesterday.'],
  ])('has been seen: "%s" and "%s"', (wish, seen) => {
    expect(ends(wish, seen)).toBe(true);
    expect(ends(seen, wish)).toBe(false);
  });

  it.each([
    ['User dreams of seeing temples in Japan.', 'User toured a temple on their first visit to Greece.'],
    ['User dreams of seeing temples in Japan.', 'User toured a temple.'],
    ['User dreams of seeing temples in Japan.', 'User toured a palace in Japan.'],
    ['User dreams of seeing temples in Japan.', 'Ana toured a temple in Japan.'],
    ['User dreams of seeing temples in Japan.', 'User toured a temple in Japan (2011).'],
    ['User wants to visit more castles.', 'User went to a castle.'],
    ['User wants to visit a castle.', 'User saw a castle ruin on a stamp.'],
    ['User wants to visit a castle.', 'User went to the castle road.'],
  ])('is not another one: "%s" and "%s"', (wish, other) => {
    expect(ends(wish, other)).toBe(false);
  });
});

describe('a holiday', () => {
  it.each([
    ['User is packing for their Italian holiday.', 'User took a tour around the Italian lakes.'],
    ['User is planning a Norwegian cruise.', 'User is back from their Norwegian cruise.'],
    ['User is off on their big European trip.', 'User enjoyed their European trip.'],
  ])('is over: "%s" and "%s"', (wish, over) => {
    expect(ends(wish, over)).toBe(true);
    expect(ends(over, wish)).toBe(false);
  });

  it.each([
    ['User is packing for their Italian holiday.', 'User took a tour around the Austrian lakes.'],
    ['User is packing for their Italian holiday.', 'Ana took a tour around the Italian lakes.'],
    ['User is packing for their Italian holiday.', 'User took a tour around the Italian lakes (2016).'],
    ['User is packing for their Italian holiday.', 'User took a cooking class in the Italian quarter.'],
    ['User is packing for their Italian holiday.', 'User enjoyed their Italian dinner.'],
    ['User is planning an Italian tour.', 'User enjoyed the Italian tour of Ana.'],
    ['User is planning their Italian honeymoon.', 'User is back from their Italian road trip.'],
    ['User left for their office.', 'User is back from their office trip.'],
  ])('is not another one: "%s" and "%s"', (wish, other) => {
    expect(ends(wish, other)).toBe(false);
  });
});
