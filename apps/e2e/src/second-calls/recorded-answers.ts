import type { ModelServer } from '@turnkeeper/testing';

type Mode = Parameters<ModelServer['behave']>[0];

/** A fact as a model wrote it down when it was shown the sentence. */
interface RecordedFact {
  readonly text: string;
  /** Words that the fact follows from. It is answered when a message of the window holds them. */
  readonly quote: string;
  readonly category: 'fact' | 'request' | 'commitment';
  readonly attribute?: { readonly name: string; readonly value: string; readonly single: boolean };
  /** Part of the existing record that is no longer true. */
  readonly replaces?: string;
}

const phone = (value: string) => ({ name: 'phone_number', value, single: true });
const patient = (value: string) => ({ name: 'patient_number', value, single: true });

/**
 * A careful model's answers to the calls of `lines.ts`, written from our prompt and the calls alone, in its own words. The
 * last ones are about what an interruption cut off: they are answered if a model is ever shown it.
 */
const RECORDED_FACTS: readonly RecordedFact[] = [
  { text: 'User asked for a repeat prescription.', quote: 'I need a repeat prescription', category: 'request' },
  {
    text: "User's patient number is 447112.",
    quote: 'My patient number is double four seven one one two',
    category: 'fact',
    attribute: patient('447112'),
  },
  { text: 'User is allergic to penicillin.', quote: 'Yes, penicillin', category: 'fact' },
  {
    text: 'User stopped taking ibuprofen two weeks ago.',
    quote: 'I stopped taking the ibuprofen two weeks ago',
    category: 'fact',
  },
  {
    text: "User's phone number is 0170 5558 341.",
    quote: 'my phone number is 0170 5558 341',
    category: 'fact',
    attribute: phone('0170 5558 341'),
  },
  {
    text: "User changed provider; User's phone number is 0151 777 2096.",
    quote: 'I changed my provider. My phone number is now 0151 777 2096',
    category: 'fact',
    attribute: phone('0151 777 2096'),
    replaces: '0170 5558 341',
  },
  {
    text: "User's knee hurts, and User asked for an appointment.",
    quote: 'My knee hurts and I need an appointment',
    category: 'request',
  },
  {
    text: "User's patient number is 903388.",
    quote: 'My patient number is nine oh three three double eight',
    category: 'fact',
    attribute: patient('903388'),
  },
  { text: 'User is allergic to latex.', quote: 'Yes, latex', category: 'fact' },
  {
    text: 'User moved to Harlow Road 17 in May.',
    quote: 'I moved to Harlow Road 17 in May',
    category: 'fact',
    attribute: { name: 'home_address', value: 'Harlow Road 17', single: true },
  },
  {
    text: "User's phone number is 0160 4422 918.",
    quote: 'my phone number is 0160 4422 918',
    category: 'fact',
    attribute: phone('0160 4422 918'),
  },
  {
    text: 'The charge for the prescription is 38 euros, payable at the Marlow Street counter.',
    quote: '38 euros, and you pay at the Marlow Street counter',
    category: 'commitment',
  },
  {
    text: 'The agent said that Doctor Abel is free on Thursday at a quarter past eleven.',
    quote: 'on Thursday at a quarter past eleven',
    category: 'commitment',
  },
];

/** Answers what was recorded for the messages in the window. */
export const answersAsRecorded: Mode = ({ messages, existing }, reply) => {
  // As the prompt says: the end of an interrupted line may not have been heard.
  const heard = messages.filter(({ interrupted }) => interrupted !== true);
  const facts = heard.flatMap(({ id, text }) =>
    RECORDED_FACTS.filter(({ quote }) => text.includes(quote)).map(({ quote, replaces, ...fact }) => {
      const old = replaces === undefined ? undefined : existing.find((record) => record.text.includes(replaces));
      const relations = old === undefined ? [] : [{ kind: 'replaces', record: old.record }];
      return { ...fact, sources: [{ event: id, quote }], relations };
    }),
  );
  reply.completion(JSON.stringify({ facts }));
};
