import { describe, expect, it } from 'vitest';
import { slotOf } from './slot.js';
import { supersede, supersederOf } from './supersede.js';

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

  it('does not end an undated plan if another event of its kind is postponed weeks later', () => {
    const plan = ['2026-01-10', 'User is practising for the next tournament.'] as const;
    expect(ended(plan, ['2026-01-20', "User's tournament got pushed back."])).toEqual(['0 by 1']);
    expect(ended(plan, ['2026-01-29', "User's tournament got pushed back."])).toEqual([]);
  });

  it('of an event that is under way comes soon', () => {
    const plan = ['2026-03-10', 'User is currently taking part in a chess tournament.'] as const;
    expect(ended(plan, ['2026-03-18', 'User won a chess tournament.'])).toEqual(['0 by 1']);
    expect(ended(plan, ['2026-04-08', 'User won a chess tournament.'])).toEqual([]);
  });

  it.each([
    ['User applied for a scholarship.', 'User got a no for the scholarship.'],
    ['User had an interview for an internship (10 May 2026).', 'User was accepted for the internship.'],
    ['User is negotiating with Orchid.', 'User signed with Orchid.'],
    ['User failed the driving test.', 'User retook the driving test with a good result.'],
    ['User wants to open a bakery.', 'User now runs their own bakery.'],
    ['User is on the lookout for a new flat.', 'User found a flat.'],
    ["User's exam was moved to Friday.", 'User passed the exam.'],
    ['User is organising a garden party.', "User's garden party was a success."],
    ['User is moving to Hue in June.', 'User lives in Hue.'],
    ['User is looking for a new job.', 'User got a new job at the harbour.'],
    [
      'User is on the hunt for a nice spot to open their bakery.',
      'User is living their dream by having their own bakery.',
    ],
    ['User is aiming to turn their hobby into a business.', 'User is turning their hobby into a business.'],
    ['User is going to talk to their landlord.', 'User has been talking to the landlord about the rent.'],
    ['User has never tried sushi.', 'User finally tried sushi.'],
    ["User hasn't been to Lisbon yet.", 'User went to Lisbon.'],
    ['User is learning how to play the cello.', 'User plays the cello.'],
    ['User signed up for a pottery class.', 'User is taking a pottery class.'],
    ['User is building a website.', 'User built a website.'],
    ['User and their wife are expecting a baby boy.', 'User and their wife had a baby boy.'],
    ['User sprained their ankle.', "User's ankle is fully healed."],
    ["User's car broke down.", 'User got their car fixed.'],
    ['User submitted their first script to a film contest.', "User's script was rejected."],
    ['User is trying to learn Spanish.', 'User speaks Spanish fluently now.'],
    ['User is planning a trip to Portugal.', 'User is back from a trip to Portugal.'],
    ['User is making a documentary about bees.', 'User finished their documentary.'],
    ['User has a job interview at Orchid.', 'User got the job at Orchid.'],
    ['User is studying for the driving test.', 'User passed the driving test.'],
    ['User wants to get a tattoo.', 'User got a tattoo of a heron.'],
    ['User is playing a game called "Moss".', 'User just beat "Moss".'],
    ['User is considering a deal with Orchid.', 'User signed with Orchid.'],
    ['User is a student.', 'User graduated.'],
    ["User can't wait for the concert (May 2026).", 'User went to the concert (9 May 2026).'],
    ['User has a meeting with the bank (May 2026).', 'User met with the bank.'],
    ['User wants to write a novel.', 'User started writing a novel.'],
    ['User is writing a novel.', 'User finished their novel.'],
    ["User's colleague Rob invited them to a yoga class.", 'User started a yoga class with a colleague.'],
    ['User would love to visit Lisbon.', 'User took a short trip to Lisbon.'],
    ['User is thinking about getting a puppy.', 'User adopted a dog.'],
    ['User is reading a novel called "Waves" by Ana Diaz.', 'User just finished "Waves".'],
    ['User is reading "The Ship and the Storm at Sea".', 'User just finished "The Ship and the Storm at Sea".'],
    ['User is studying for a math exam (May 2026).', 'User is studying for the math exam that was moved (June 2026).'],
    ['User is studying for a big math exam.', 'User passed the math exam.'],
    ["User is looking forward to their friend Ana's wedding (May 2026).", "User went to Ana's wedding (9 May 2026)."],
    ['User is planning a party for Ana.', "User threw Ana's party."],
    ['User is writing another novel.', 'User finished their second novel.'],
    ['User is writing a novel called "Waves".', 'User published the novel "Waves".'],
    ['User wants to volunteer at the library (May 2026).', 'User volunteered at the town library (9 May 2026).'],
    ['User is aiming to turn their rowing passion into a job.', 'User is turning their love of rowing into a job.'],
    ['User applied for a law course.', 'User got accepted into the course.'],
    ['User is looking for a job.', 'User got a full-time job.'],
    ['User is looking for a part-time job.', 'User found a part-time job.'],
    ['User has a temp job.', 'User got a full-time job.'],
    ['User got a part-time job at a bar.', 'User quit their part-time job.'],
    ['User wants to visit Oslo.', 'User visited Oslo (2026).'],
    ['User is going to a craft fair (May 2026).', 'User went to the craft fair (9 May 2026).'],
    ['User has a job interview at Orchid.', 'User got the job.'],
    ['User has a council meeting coming up (May 2026).', 'User went to a council mtg.'],
    ['User is hosting a book fair four weeks from now.', 'The book fair went really well for User.'],
    ['User is rehearsing a play to perform at the county fair (May 2026).', 'User gave a reading at the county fair.'],
    ['User is excited to sing in the talent show (May 2026).', 'User sang two songs in the talent show.'],
    ['User is going to a queer film festival (May 2026).', 'User went to an LGBTQ film festival (20 May 2026).'],
    ['User is studying for the maths exam.', 'User passed the mathematics exam.'],
    ['User has been looking into a design course.', 'User applied for the design course.'],
    ['User is looking into a mortgage.', 'User applied for a mortgage.'],
    ['User is going to submit their first novel to some contests.', 'User submitted a novel to a Danish contest.'],
    ['User wants to pitch their novel to a publisher.', "User's novel was accepted."],
    ['User is trying to start a choir.', 'User started a choir.'],
  ])('in other words: "%s" ends with "%s"', (plan, outcome) => {
    expect(ended(['2026-05-12', plan], ['2026-05-30', outcome])).toEqual(['0 by 1']);
    expect(ended(['2026-05-12', outcome], ['2026-05-30', plan])).toEqual([]);
  });

  it.each([
    ['User applied for a scholarship.', 'User was accepted for the internship.'],
    ['User is negotiating with Orchid.', 'User signed with Maple.'],
    ['User has a council meeting coming up (May 2026).', 'User went to the school meeting.'],
    ['User has a weekly staff meeting.', 'User went to a staff meeting.'],
    ['User has a meeting about the roof.', 'User went to a meeting about bees.'],
    ['User has a council meeting coming up (July 2026).', 'User went to the council meeting.'],
    ['User is organising a garden party.', 'The birthday party was a hit for User.'],
    ['User is organising a garden party.', 'The garden party was a hit for Ana.'],
    ['User is rehearsing a play to perform at the county fair (July 2026).', 'User gave a reading at the county fair.'],
    ['User is rehearsing a song to sing at a wedding.', 'User went to the wedding of their cousin.'],
    ['User is too shy to perform at the county fair.', 'User gave a reading at the county fair.'],
    ['User is going to a nursing conference (May 2026).', 'User went to a queer conference (20 May 2026).'],
    ['User has been looking into a design course.', 'User applied for a law course.'],
    ['User is looking into a mortgage.', 'User applied for a visa.'],
    ['User is looking into a loan for the car.', 'User applied for a loan for the house.'],
    ['User is writing another novel.', 'User submitted a novel to a press.'],
    ['User applied for a design course.', 'User is looking into a design course.'],
    ['User applied for a scholarship.', 'User passed the scholarship interviews.'],
    ['User is looking into a job.', 'User applied for a job.'],
    ['User is going to submit their first novel to some contests.', 'User finished their first novel.'],
    ['User is going to submit their first novel to some contests.', 'User sent their second novel to a publisher.'],
    ['User is writing a novel.', 'User is going to submit their novel to some contests.'],
    ['User is trying to start a band.', 'User started a choir.'],
    ['User failed the driving test.', 'User passed the swimming test.'],
    ['User wants to open a bakery.', 'User runs their own studio.'],
    ['User is on the hunt for a nice spot to open their bakery.', 'User loves running their own bakery.'],
    ['User is considering brands like Orchid and Maple.', 'User signed with Orchid.'],
    ['User is moving to Hue in June.', 'User lives in Hanoi.'],
    ['User lives in Hanoi.', 'User is moving to Hue in June.'],
    ['User is looking for a new job.', 'User works at Acme.'],
    ['User works at Acme.', 'User is looking for a new job.'],
    ['User sprained their ankle.', "User's knee is fully healed."],
    ['User is reading a novel called "Waves".', 'User just finished "Tides".'],
    ['User is reading a novel called "Waves".', 'User is reading a book about bees.'],
  ])('is not that of another plan: "%s" and "%s"', (plan, outcome) => {
    expect(ended(['2026-05-12', plan], ['2026-05-30', outcome])).toEqual([]);
  });

  it.each([
    ['User has two turtles.', 'User got a third turtle.'],
    ['User is getting married in May.', 'User got married.'],
    ['User is engaged to Ben.', 'User married Ben.'],
    ['User is engaged to Ben.', 'User married Ben (2026).'],
    ['User is dating Ben.', 'User and Ben broke up.'],
    ['User weighs 82 kg.', 'User weighs 79.5 kg now.'],
    ["User's weight is 82 kg.", 'User is down to 79 kg.'],
    ['User weighs 82 kilos.', 'User went from 82 to 79 kilos.'],
    ["User's dog weighs 21 kg.", "User's dog weighs 19 kg."],
    ['User drinks cider every day.', 'User stopped drinking cider.'],
    ['User drinks wine twice a week.', 'User quit wine.'],
    ['User drinks coffee.', 'User finally gave up coffee.'],
    ['User drinks coffee.', "User doesn't drink coffee any more."],
    ['User drinks alcohol every weekend.', 'User has stopped drinking.'],
    ['User goes to the gym every day.', 'User stopped going to the gym.'],
    ['User runs every morning.', 'User gave up running.'],
    ['User takes the tram every day.', 'User no longer takes the tram.'],
    ['User quit coffee.', 'User drinks coffee.'],
    ['User quit coffee.', 'User drinks coffee every morning.'],
    ['User wants to quit coffee.', 'User quit coffee.'],
    ['User is trying to stop eating chocolate.', 'User stopped eating chocolate.'],
  ])('is a new value: "%s" ends with "%s"', (before, after) => {
    expect(ended(['2026-05-12', before], ['2026-05-30', after])).toEqual(['0 by 1']);
  });

  it.each([
    ['User weighs 82 kg.', "User's dog weighs 19 kg."],
    ['The parcel weighs 12 kg.', 'The parcel weighs 15 kg.'],
    ["User's suitcase weighs 21 kg.", "User's suitcase weighs 19 kg."],
    ['User drinks coffee every day.', 'User stopped drinking coffee after lunch.'],
    ['User drinks beer every day.', 'User quit beer for a month.'],
    ['User drinks beer every day.', 'User quit wine.'],
    ['User drinks beer every day.', 'User wants to quit beer.'],
    ['User loves beer.', 'User quit beer.'],
    ['User drinks coffee.', 'User drinks coffee every morning.'],
    ['User drinks coffee every morning.', 'User drinks coffee.'],
    ['User quit coffee.', 'User drinks tea.'],
    ['User is pregnant.', 'User had a fight with their son.'],
    ['User is pregnant.', 'User had a party for their daughter.'],
    ['User is pregnant.', 'User had a baby shower.'],
    ['User is helping a student.', 'User graduated.'],
    ['User is not a student.', 'User graduated.'],
    ['User is a student teacher.', 'User graduated.'],
    ['User is a student at Oslo.', 'User graduated from high school in 2015.'],
    ['User is a student at Oslo.', 'User graduated (2015).'],
    ["User's phone broke.", 'User replaced their phone case.'],
    ["User's phone broke.", 'User got their phone number replaced.'],
    ["User's car broke down.", 'User replaced the car seat.'],
    ["User's roof was damaged.", 'User repaired the roof rack.'],
    ['User is studying for a math exam.', 'User passed a physics exam.'],
    ["User is looking forward to Ana's wedding (May 2026).", "User went to Ben's wedding (9 May 2026)."],
    ['User is planning their wedding (May 2026).', "User went to Ben's wedding (9 May 2026)."],
    ['User is planning a party for Ana.', 'User threw a party for Ben.'],
    ['User is going to a nursing conference (May 2026).', 'User went to a teaching conference (9 May 2026).'],
    ['User is going to the conference in Oslo (May 2026).', 'User went to a conference in Turku (9 May 2026).'],
    ['User is practising for their second tournament.', 'User won their first tournament.'],
    ['User is having an art show (May 2026).', 'User is organising an art show (June 2026).'],
    ['User is hosting a film festival (May 2026).', 'User is hosting a film festival (June 2026).'],
    ['User wants to volunteer at the library (May 2026).', 'User volunteered at a shelter (9 May 2026).'],
    ['User is writing a second novel.', "User's first novel is published."],
    ['User is writing a second novel.', "User's first novel was published."],
    ['User is writing another novel.', 'User published their first novel.'],
    ['User is writing a novel called "Waves".', 'User published a novel called "Tides".'],
    ['User sent a crime novel to a publisher.', "User's poetry book was rejected."],
    ['User applied for a visa.', 'User is in the visa office.'],
    ['User applied to an adoption agency.', 'User is in the agency office.'],
    ['User applied for a law course.', 'User got accepted into a design course.'],
    ['User has a part-time job at a bar.', 'User works at Acme.'],
    ['User got a second job.', 'User works at Acme.'],
    [
      'User is going to travel more and volunteer at shelters (May 2026).',
      'User spent some time at the shelter volunteering (9 May 2026).',
    ],
    ['User lost their job as a baker (4 May 2026).', 'User got a new job.'],
    ['User wants to turn their rowing passion into a job.', 'User turned their love of baking into a job.'],
    ['User got divorced (2019).', 'User is married.'],
    ['User married Ben (2005).', 'User is widowed.'],
    ['User has a part-time job.', 'User lost their job.'],
    ['User is looking for a full-time job.', 'User got a summer job.'],
    ['User is engaged to Ben.', 'User married their first husband (2005).'],
    ['User has a job interview at Orchid.', 'User got the job done.'],
    ['User has a job interview at Orchid.', 'User got the job at Maple.'],
    ['User is divorced.', 'User is dating Ben.'],
    ['User is widowed.', 'User has a new partner.'],
    ['User is divorced.', 'User and Ben broke up.'],
    ['User is divorced.', 'User married their first husband in 2005.'],
    ['User is divorced.', 'User got married (2005).'],
    ['User is looking for a full-time job.', 'User has a part-time job.'],
    ['User is looking for a full-time job.', 'User got a temp job.'],
    ['User works at Acme.', 'User has a part-time job.'],
    ['User has four cats.', 'User adopted a third cat.'],
    ['User wants to turn the garage into a studio.', 'User turned the attic into a studio.'],
    ['User wants to host a cooking class.', 'User took a cooking class.'],
    ['User is designing a pottery class.', 'User took a pottery class.'],
    ['User wants to visit Paris.', 'User spent their childhood in Paris.'],
    ['User wants to visit Paris.', 'User spent all their savings in Paris.'],
    ['User wants to visit Paris.', 'User visited Paris (2009).'],
    ['User is making pottery.', 'User made pottery with their kids.'],
    ['User is designing clothes.', 'User designed clothes for a friend.'],
    ['User wants to play football.', 'User played football.'],
    ['User is knitting a scarf for Ana.', 'User knitted a scarf for Ben.'],
    ['User sent their novel to a publisher.', "User's favorite book was published in 1990."],
    ['User submitted their first script to a contest.', "User's second script was rejected."],
    ['User is going to a craft fair (May 2026).', 'User had a fair amount of work (May 2026).'],
    ['User is having a debate (May 2026).', 'User went to a debate club (May 2026).'],
    ['User has a honeymoon photo.', 'User took a honeymoon in Malta.'],
    ['User is going to an auction house.', 'User won an auction.'],
    ['User is having an expo booth.', 'User attended an expo.'],
    ['User is planning a family reunion.', 'User went to a school reunion.'],
    ['User is having a health screening.', 'User attended a screening of a film.'],
    ["User is planning Ana's birthday party (May 2026).", "User is planning Ben's birthday party (June 2026)."],
    ['User is studying for a math exam (May 2026).', 'User is studying for a math exam (June 2026).'],
    ['User is reading "Waves".', 'User finished painting "Waves".'],
    ['User is reading "Waves".', 'User finished a painting called "Waves".'],
    ['User is reading "Dune".', 'User finished "Dune Messiah".'],
    ['User is reading "Dune Messiah".', 'User finished "Dune".'],
    [
      'User is reading "Harry Potter and the Goblet of Fire".',
      'User finished "Harry Potter and the Chamber of Secrets".',
    ],
  ])('is not something similar: "%s" and "%s"', (plan, other) => {
    expect(ended(['2026-05-12', plan], ['2026-05-30', other])).toEqual([]);
  });

  it('may be a later month for the same event, as long as it is not over', () => {
    const plan = ['2026-04-20', 'User is having a ceramics festival (May 2026).'] as const;
    expect(ended(plan, ['2026-05-20', 'User is hosting the ceramics festival, now in June (June 2026).'])).toEqual([
      '0 by 1',
    ]);
    expect(ended(plan, ['2026-06-20', 'User is hosting the ceramics festival, now in July (July 2026).'])).toEqual([]);
    expect(ended(plan, ['2026-05-20', 'User is hosting a film festival, now in June (June 2026).'])).toEqual([]);
    expect(ended(plan, ['2026-05-20', 'User is hosting a ceramics festival (June 2026).'])).toEqual([]);
  });

  it('leaves it in place when the next one is planned', () => {
    expect(
      ended(['2026-02-10', 'User won a tournament.'], ['2026-03-10', 'User is practising for a tournament.']),
    ).toEqual([]);
  });
});

describe('current activities', () => {
  const first = ['2026-01-10', 'User is reading a novel called "Waves".'] as const;

  it('are not replaced by the next one: there may be two at a time', () => {
    expect(ended(first, ['2026-02-10', 'User is reading "Tides".'])).toEqual([]);
    expect(
      ended(
        ['2026-01-10', 'User has been playing a game all week with lovely music and drawings called "Moss".'],
        ['2026-02-10', 'User is currently playing a game called "Tides".'],
      ),
    ).toEqual([]);
    expect(
      ended(
        ['2026-01-10', 'User is reading an amazing series about the sea.'],
        ['2026-02-10', 'User is reading a novel called "Waves".'],
      ),
    ).toEqual([]);
  });

  it('are named at once', () => {
    expect(
      ended(['2026-01-10', 'User is reading a book that they enjoy.'], ['2026-01-10', 'User is reading "Waves".']),
    ).toEqual(['0 by 1']);
  });

  it('are not named by what is read later', () => {
    expect(
      ended(['2026-01-10', 'User is reading a book that they enjoy.'], ['2026-01-20', 'User is reading "Waves".']),
    ).toEqual([]);
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

describe('a plan with its reason', () => {
  it('stays: the reason is still true when the plan has come true', () => {
    const done = ['2026-05-10', 'User opened a dance studio.'] as const;
    expect(ended(['2026-01-10', 'User wants to open a dance studio because they love to dance.'], done)).toEqual([]);
    expect(ended(['2026-01-10', 'User wants to open a dance studio.'], done)).toEqual(['0 by 1']);
  });
});

describe('jobs', () => {
  it('at the side stay when the main one is mentioned again', () => {
    const [main, side] = ['User works at Acme.', 'User has a part-time job.'];
    expect(ended(['2026-01-10', main], ['2026-02-10', side], ['2026-03-10', main])).toEqual([]);
  });

  it('end with the loss, which stays true after the next job', () => {
    expect(
      ended(
        ['2026-01-10', 'User is really enjoying their new job.'],
        ['2026-03-10', 'User lost their job at the bank.'],
        ['2026-05-10', 'User works at Acme.'],
      ),
    ).toEqual(['0 by 2']);
  });

  it('end being without one', () => {
    expect(ended(['2026-03-10', 'User is out of work.'], ['2026-05-10', 'User works at Acme.'])).toEqual(['0 by 1']);
  });
});

describe('what supersedes a record that becomes current again', () => {
  const said = (day: string, text: string) => ({ recordId: text, statedAt: `${day}T12:00:00Z`, slot: slotOf(text) });
  const home = said('2026-04-10', 'User lives in Hanoi.');

  it('is the newest current record that contradicts it', () => {
    const current = [said('2026-04-12', 'User lives in Hue.'), said('2026-04-11', 'User lives in Vinh.')];
    expect(supersederOf(home, current)).toBe(current[0]);
    expect(supersederOf(home, current.toReversed())).toBe(current[0]);
  });

  it('may have been stated at the same time, but not before', () => {
    const [same, before] = [said('2026-04-10', 'User lives in Hue.'), said('2026-04-09', 'User lives in Hue.')];
    expect(supersederOf(home, [before, same])).toBe(same);
    expect(supersederOf(home, [before])).toBeUndefined();
  });

  it('is about the same', () => {
    const plan = said('2026-04-10', 'User is studying for a maths exam.');
    const [physics, maths] = ['physics', 'maths'].map((name) => said('2026-04-12', `User passed the ${name} exam.`));
    expect(supersederOf(plan, [physics!])).toBeUndefined();
    expect(supersederOf(plan, [maths!, physics!])).toBe(maths);
    expect(supersederOf({ ...plan, slot: null }, [maths!])).toBeUndefined();
  });
});
