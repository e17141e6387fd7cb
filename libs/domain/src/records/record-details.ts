import type { OutputData } from '../strategy/output-schema.js';

/** What a record tells, whatever the language it is told in. */
export const RECORD_CATEGORIES = ['fact', 'preference', 'plan', 'request', 'commitment', 'event'] as const;
/**
 * - `fact`: a state or an attribute of the subject
 * - `preference`: a like, dislike, habit or constraint
 * - `plan`: what the subject intends to do or has booked
 * - `request`: what the caller asked for
 * - `commitment`: what the agent promised or reported as done
 * - `event`: something that happened once
 */
export type RecordCategory = (typeof RECORD_CATEGORIES)[number];

/** How important a preference is to the subject. */
export const STRENGTHS = ['strong', 'moderate', 'weak'] as const;
export type Strength = (typeof STRENGTHS)[number];

/** What could not be verified about a fact, although it was kept. */
export const DOUBTS = ['number_not_in_source', 'name_not_in_source'] as const;
/**
 * - `number_not_in_source`: a number or date of the fact does not follow from the messages that it cites
 * - `name_not_in_source`: a name of the fact occurs in no message that was read
 */
export type Doubt = (typeof DOUBTS)[number];

/** A typed value, e.g. the caller's phone number. */
export interface AttributeValue {
  /** Lower case with underscores, e.g. `phone_number`, `policy_number`, `home_address`; at most 60 characters. */
  readonly name: string;
  /** The value in the usual written form, e.g. `NG44712B` for "n g double four 7 1 2 b"; at most 500 characters. */
  readonly value: string;
  /**
   * Only one value is current at a time: a newer value of the same attribute and subject supersedes it. False where
   * several are true together ("another phone").
   */
  readonly single: boolean;
}

/** Fields of a record beside its text. All are absent on records of releases that had none. */
export interface RecordDetails {
  readonly category?: RecordCategory | null | undefined;
  /** Whom or what it is about, as named in the conversation; null or absent: the actor of the session. */
  readonly subject?: string | null | undefined;
  readonly attribute?: AttributeValue | null | undefined;
  /** Of a preference; null if unknown. */
  readonly strength?: Strength | null | undefined;
  /** What the output schema of a CUSTOM strategy asks for. */
  readonly data?: OutputData | null | undefined;
  /** Absent if everything was verified. */
  readonly doubts?: readonly Doubt[] | undefined;
}

/** The details of a record without its other fields; unknown ones are left out. */
export const detailsOf = ({ category, subject, attribute, strength, data, doubts }: RecordDetails): RecordDetails => ({
  ...(category == null ? {} : { category }),
  ...(subject == null ? {} : { subject }),
  ...(attribute == null ? {} : { attribute }),
  ...(strength == null ? {} : { strength }),
  ...(data == null ? {} : { data }),
  ...(doubts === undefined || doubts.length === 0 ? {} : { doubts }),
});
