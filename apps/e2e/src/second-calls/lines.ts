/** One utterance of a call. */
export interface Line {
  readonly role: 'user' | 'assistant';
  /** What the other side heard. */
  readonly text: string;
  /** What the model had written, if the user cut the assistant off after `text`. */
  readonly generated?: string;
}

const user = (text: string): Line => ({ role: 'user', text });
const assistant = (text: string): Line => ({ role: 'assistant', text });
const cutOff = (text: string, unheard: string): Line => ({ role: 'assistant', text, generated: `${text}${unheard}` });

/** The first call: an identifier as spoken, an answer with two facts, and an interruption. */
export const FIRST_CALL: readonly Line[] = [
  assistant('Fernhill practice, good morning. How can I help?'),
  user('I need a repeat prescription. My patient number is double four seven one one two.'),
  assistant('Thank you. Are you allergic to any medicine?'),
  user('Yes, penicillin. And I stopped taking the ibuprofen two weeks ago.'),
  cutOff('All right. The charge for it is', ' 38 euros, and you pay at the Marlow Street counter.'),
  user('Sorry, before I forget: my phone number is 0170 5558 341.'),
  assistant('Thanks, you will be called on that number.'),
];

/** What a user says first in every later call. */
export const OPENING = user("Hi, it's me again. I'm calling about my prescription.");

/** The rest of the second call: a value of the first call changes. */
export const CHANGE: readonly Line[] = [
  assistant('Hello again. What can I do for you?'),
  user('I changed my provider. My phone number is now 0151 777 2096.'),
  assistant('I have written that down.'),
];

/** The other user's call, between the first and the second one. */
export const OTHER_CALL: readonly Line[] = [
  assistant('Fernhill practice, good morning. How can I help?'),
  user('My knee hurts and I need an appointment. My patient number is nine oh three three double eight.'),
  assistant('Thank you. Any allergies, and is your address still the same?'),
  user('Yes, latex. And I moved to Harlow Road 17 in May.'),
  cutOff('I see. Doctor Abel is free', ' on Thursday at a quarter past eleven.'),
  user('Before I forget, my phone number is 0160 4422 918.'),
];

/** Facts by what is being told; each is told if one of its patterns is found. */
export type Facts = Readonly<Record<string, RegExp>>;

/** What the caller told in the first call. */
export const FACTS = {
  'the allergy': /penicillin/i,
  'the medicine that was stopped': /ibuprofen/i,
} as const satisfies Facts;
export const NUMBERS = {
  'the patient number': /double four,? seven,? one,? one,? two|\b447112\b/i,
  'the phone number': /0170 ?5558 ?341/,
} as const satisfies Facts;
export const NEW_PHONE = /0151 ?777 ?2096/;

/** What the other user told. */
export const FACTS_OF_OTHER = {
  'the complaint': /knee/i,
  'the allergy': /latex/i,
  'the address': /harlow road 17/i,
} as const satisfies Facts;
export const NUMBERS_OF_OTHER = {
  'the patient number': /nine,? oh,? three,? three,? double eight|\b903388\b/i,
  'the phone number': /0160 ?4422 ?918/,
} as const satisfies Facts;

/** What the interruptions cut off. */
export const UNHEARD = {
  'the charge': /38 euros/i,
  'where to pay': /marlow/i,
} as const satisfies Facts;
export const UNHEARD_BY_OTHER = {
  'the day': /thursday/i,
  'the time': /quarter past eleven/i,
} as const satisfies Facts;
