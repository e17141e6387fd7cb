import { InsertRecords } from '@turnkeeper/application';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExtractionRig, ScriptedModel } from '../testing/extraction-rig.js';

/** Records that a call changes, and what the caller says. The words differ as they do in speech. */
const CHANGES: readonly (readonly [record: string, said: string])[] = [
  ["Nora's appointment for the check-up is on 10 March 2026 at 9:00.", "I can't make my appointment on Tuesday."],
  ['Nora drives a grey Saab from 2004.', 'By the way, I finally sold the old Saab.'],
  ['Nora drinks three sodas a day.', 'No more soda for me since New Year.'],
  ["Nora's phone number is 0170 555123.", 'Please note my new phone, it is 0151 44920.'],
  ['Nora lives at 12 Elm Road in Leeds.', 'We left Leeds in May, I live in York now.'],
  ['Nora works as a nurse at St Anne’s hospital.', 'I quit the hospital, I teach nursing at the college.'],
  ['Nora plans a trip to Lisbon in June 2026.', 'The Lisbon trip is off, sadly.'],
  ['Nora asked for a refund of 40 euros for the broken lamp.', 'The refund for the lamp arrived, thank you.'],
  ["Nora's dog is called Biscuit and is 12 years old.", 'Biscuit died in spring, he was a good dog.'],
  ['Nora is learning to play the cello.', 'I gave the cello to my niece, I never practised.'],
  ['Nora is on the 20GB plan for 25 euros.', 'Could you put me on the unlimited plan?'],
  ['Nora is engaged to Piet.', 'Piet and I got married last Saturday!'],
  ['Nora prefers calls in the morning.', 'Evenings are better for calls from now on.'],
  ["Nora's policy number is NG44712B.", 'My old policy ended, the new policy number is KR99.'],
  ['Nora is vegetarian.', 'I eat fish again, the doctor wants me to.'],
];
const THINGS = ['kettle', 'bicycle', 'garden', 'window', 'ladder', 'printer', 'curtain', 'mirror', 'basket', 'drawer'];
const PLACES = ['Harlow', 'Bristol', 'Oslo', 'Turin', 'Ghent', 'Porto', 'Riga', 'Bergen', 'Malmo', 'Zadar'];
const DOINGS = ['repaired', 'painted', 'bought', 'borrowed', 'returned', 'measured', 'cleaned', 'moved'];

describe('the records that a model is shown of a large namespace', () => {
  let rig: ExtractionRig;
  beforeAll(async () => {
    rig = await ExtractionRig.create();
  });
  afterAll(() => rig?.close());

  it('contain nearly all that the window changes', async () => {
    const session = await rig.session();
    const others = THINGS.flatMap((thing, t) =>
      PLACES.flatMap((place, p) => [`Nora ${DOINGS[(t + p) % DOINGS.length]} a ${thing} in ${place}.`]),
    );
    const texts = [...CHANGES.map(([record]) => record), ...others];
    await new InsertRecords({ ...rig.stores, erasure: rig.eventStore.erasure }).execute(
      session.tenantId,
      session.memoryId,
      texts.map((text) => ({ text, namespace: '/ada', strategyId: null })),
    );
    const model = new ScriptedModel();
    await rig.say(session, 'Hello, Nora here.', ...CHANGES.map(([, said]) => said));
    await rig.run(rig.extractor(model, { windowEvents: 50 }), session);
    const listed = new Set(model.asked[0]?.existing?.map(({ text }) => text));
    const missing = CHANGES.filter(([record]) => !listed.has(record)).map(([record]) => record);
    expect(listed.size).toBeLessThanOrEqual(36);
    expect(missing.length).toBeLessThanOrEqual(1);
  });
});
