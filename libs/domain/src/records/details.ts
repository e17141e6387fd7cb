import type { Candidate } from './candidate.js';
import { cleanText } from './clean-text.js';
import { foldedText } from './folded-text.js';
import { RECORD_CATEGORIES, STRENGTHS, type AttributeValue, type RecordDetails } from './record-details.js';

const LONGEST_NAME = 60;
const LONGEST_VALUE = 500;
const LONGEST_SUBJECT = 200;

/** A candidate's details that are valid, in their stored form. The others are left out: the fact stands without them. */
export const validDetails = ({
  category,
  subject,
  attribute,
  strength,
  data,
}: Candidate): Omit<RecordDetails, 'doubts'> => {
  const named = oneLine(subject ?? '', LONGEST_SUBJECT);
  const typed = attribute == null ? null : validAttribute(attribute);
  return {
    ...(category != null && RECORD_CATEGORIES.includes(category) ? { category } : {}),
    ...(named === '' ? {} : { subject: named }),
    ...(typed === null ? {} : { attribute: typed }),
    ...(strength != null && STRENGTHS.includes(strength) ? { strength } : {}),
    ...(data == null ? {} : { data }),
  };
};

const validAttribute = ({ name, value, single }: AttributeValue): AttributeValue | null => {
  const key = (foldedText(name).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join('_');
  const text = oneLine(value, LONGEST_VALUE);
  return key === '' || key.length > LONGEST_NAME || text === '' ? null : { name: key, value: text, single };
};

/** Empty if it is too long or cannot be stored. */
const oneLine = (text: string, longest: number): string => {
  const line = (cleanText(text.trim()) ?? '').replaceAll(/\s+/g, ' ');
  return line.length > longest || /[\0\p{Cs}]/u.test(line) ? '' : line;
};
