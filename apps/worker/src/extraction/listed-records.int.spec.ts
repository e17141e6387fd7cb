import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExtractionRig, ScriptedModel, type RigSession } from '../testing/extraction-rig.js';

type Category = 'fact' | 'preference' | 'plan' | 'request';
/** A record that a call changes, what the caller says then, and the name of its attribute if only one value is current. */
type Change = readonly [record: string, category: Category, said: string, attribute?: string];

/** The two seldom share a word, as in speech. */
const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  en: [
    ['Nora enjoys soda.', 'preference', 'The doctor says I have to give up fizzy drinks.'],
    ["Nora's phone number is 0170 555123.", 'fact', 'From now on you can reach me under 0151 44920.', 'phone_number'],
    ['Nora lives at 12 Elm Road.', 'fact', 'We have moved, we are in Quay Street now, number 4.', 'home_address'],
    ['Nora is a nurse at St Anne’s.', 'fact', 'I teach at the college these days.', 'job'],
    ['Nora is on the 20GB tariff.', 'fact', 'Could you put me on the unlimited one?', 'plan'],
    ['Nora goes running every morning.', 'preference', 'My knee is bad, so I only swim now.'],
    ['Nora plans a trip to Lisbon in June 2026.', 'plan', 'We are staying at home this summer instead.'],
    ['Nora asked to be rung about the invoice.', 'request', 'That bill is settled, your colleague explained it.'],
    ['Nora is engaged to Piet.', 'fact', 'We got married on Saturday!', 'marital_status'],
    ['Nora drives a grey Saab.', 'fact', 'By the way, I finally sold the old Saab.'],
    ['Nora is learning the cello.', 'plan', 'I gave the cello to my niece, I never practised.'],
  ],
  de: [
    ['Nora trinkt gern Limonade.', 'preference', 'Der Arzt hat mir Süßes verboten, ich lasse das jetzt.'],
    ['Noras Nummer ist 0170 555123.', 'fact', 'Sie erreichen mich ab sofort unter 0151 44920.', 'phone_number'],
    ['Nora wohnt in der Lindenstraße 12.', 'fact', 'Wir sind umgezogen, jetzt am Hafen 4.', 'home_address'],
    ['Nora arbeitet als Pflegerin.', 'fact', 'Ich unterrichte seit Mai an der Schule.', 'job'],
    ['Nora hat den Tarif mit 20 GB.', 'fact', 'Ich hätte gern den ohne Grenze.', 'plan'],
    ['Nora joggt jeden Morgen.', 'preference', 'Mit dem Knie geht nur noch Schwimmen.'],
    ['Nora will im Juni nach Lissabon fliegen.', 'plan', 'Wir bleiben diesen Sommer doch zu Hause.'],
    ['Nora bat um Rückruf wegen der Rechnung.', 'request', 'Das hat Ihr Kollege gestern schon geklärt.'],
  ],
  es: [
    ['A Nora le gustan los refrescos.', 'preference', 'El médico me ha quitado las bebidas con gas.'],
    ['El número de Nora es 600 555 123.', 'fact', 'A partir de ahora me localizan en el 611 449 20.', 'phone_number'],
    ['Nora vive en la calle Olmo 12.', 'fact', 'Nos hemos mudado, ahora estamos en el muelle 4.', 'home_address'],
    ['Nora es enfermera.', 'fact', 'Ahora doy clases en el instituto.', 'job'],
    ['Nora sale a correr cada mañana.', 'preference', 'Con la rodilla así ya solo nado.'],
    ['Nora viajará a Lisboa en junio.', 'plan', 'Este verano al final nos quedamos en casa.'],
    ['Nora pidió que la llamaran por la factura.', 'request', 'Eso ya me lo aclaró su compañero ayer.'],
  ],
  vi: [
    ['Nora thích uống nước ngọt.', 'preference', 'Bác sĩ bảo tôi phải bỏ đồ có ga.'],
    ['Số của Nora là 0905 555 123.', 'fact', 'Từ nay gọi tôi theo 0911 449 200 nhé.', 'phone_number'],
    ['Nora ở 12 đường Lê Lợi.', 'fact', 'Nhà tôi chuyển rồi, giờ là 4 Bến Cảng.', 'home_address'],
    ['Nora làm y tá.', 'fact', 'Bây giờ tôi dạy ở trường cao đẳng.', 'job'],
    ['Nora định đi Lisbon vào tháng sáu.', 'plan', 'Hè này cả nhà không đi đâu nữa.'],
  ],
};
const GREETING: Readonly<Record<string, string>> = {
  en: 'Hello, Nora here, good morning.',
  de: 'Guten Morgen, hier ist Nora.',
  es: 'Buenos días, soy Nora otra vez.',
  vi: 'Chào em, chị Nora đây nhé.',
};

const THINGS = ['kettle', 'bicycle', 'garden', 'window', 'ladder', 'printer', 'curtain', 'mirror', 'basket', 'drawer'];
const PLACES = ['Harlow', 'Bristol', 'Oslo', 'Turin', 'Ghent', 'Porto', 'Riga', 'Bergen', 'Malmo', 'Zadar', 'Hue'];
const DOINGS = ['repaired', 'painted', 'bought', 'borrowed', 'returned', 'measured', 'cleaned', 'moved'];
/** Told after them: mostly what has happened, and two of each kind that may end. */
const STATES = ['preference', 'plan', 'request'];
const LATER = THINGS.flatMap((thing, t) =>
  PLACES.map((place, p) => ({
    text: `Nora ${DOINGS[(t + p) % DOINGS.length]} a ${thing} in ${place}.`,
    category: t < 2 ? (STATES[p] ?? 'event') : 'event',
  })),
);

describe('the records that a model is shown of a large namespace', () => {
  let rig: ExtractionRig;
  beforeAll(async () => {
    rig = await ExtractionRig.create({ durable: false });
  });
  afterAll(() => rig?.close());

  const remember = async (session: RigSession, facts: readonly object[]): Promise<void> => {
    const model = new ScriptedModel();
    const sources = [{ event: 'm1', quote: 'Nora' }];
    model.answer = () => JSON.stringify({ facts: facts.map((fact) => ({ ...fact, sources })) });
    await rig.say(session, 'Nora');
    expect(await rig.run(rig.extractor(model), session)).toMatchObject({ records: facts.length });
  };

  it.each(Object.keys(CHANGES))('contain what a call changes, in other words: %s', async (language) => {
    const changes = CHANGES[language] ?? [];
    const memory = await rig.session();
    const facts = changes.map(([text, category, , name]) => ({
      text,
      category,
      ...(name === undefined ? {} : { attribute: { name, value: text, single: true } }),
    }));
    await remember(memory, facts);
    await remember(await rig.session({ memory }), LATER);
    const listedFor = async (...messages: readonly string[]): Promise<readonly string[]> => {
      const call = await rig.session({ memory });
      const model = new ScriptedModel();
      await rig.say(call, GREETING[language] ?? '', ...messages);
      await rig.run(rig.extractor(model, { windowEvents: 50 }), call);
      return model.asked[0]?.existing?.map(({ text }) => text) ?? [];
    };
    const missing: string[] = [];
    const all = await listedFor(...changes.map(([, , said]) => said));
    expect(all.length).toBeLessThanOrEqual(40);
    for (const [record, , said] of changes) {
      if (!all.includes(record)) missing.push(`in one call: ${record}`);
      if (!(await listedFor(said)).includes(record)) missing.push(record);
    }
    expect(missing).toEqual([]);
  });
});
