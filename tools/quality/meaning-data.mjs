// Invented records with the questions asked for them, in scopes as a search sees them: namespaces of 30 records and
// sessions of six. Half 0 is for tuning, half 1 is only reported.
import { readFileSync } from 'node:fs';
import { createEmbedders } from '@turnkeeper/extraction/embeddings';
import { answerReader, embeddedQuestion, embeddedRecord, packVector, unitVector } from '@turnkeeper/search';

const SUBJECTS = ['user', 'assistant', 'customer'];
const BATCH = 32;

const linesOf = (name) =>
  readFileSync(new URL(`meaning/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'));
const partsOf = (line) => line.split('|').map((part) => part.trim());

const namespaces = () => {
  const records = linesOf('records.txt').filter((line) => line !== '');
  const foreign = linesOf('foreign.txt').filter((line) => line !== '');
  return [0, 1].map((half) => ({
    ...{ kind: 'namespace', half },
    foreign: foreign.filter((_, index) => index % 2 === half),
    records: records
      .filter((_, index) => index % 2 === half)
      .map((line) => {
        const [text, query, question, typos, language] = partsOf(line);
        return { text, asked: { query, question, typos, 'other language': language } };
      }),
  }));
};

const sessions = (name) =>
  linesOf(name)
    .join('\n')
    .split(/\n\n+/u)
    .map((block) => block.split('\n').filter((line) => line !== ''))
    .filter((lines) => lines.length > 0)
    .map((lines, index) => ({
      ...{ kind: 'session', half: index % 2 },
      foreign: lines.filter((line) => line.startsWith('?')).map((line) => line.slice(1).trim()),
      records: lines
        .filter((line) => !line.startsWith('?'))
        .map((line) => {
          const [text, query, question] = partsOf(line);
          return { text, asked: { query, question } };
        }),
    }));

/** @param vectors whether the local model is used */
export const readScopes = async (vectors, name = 'sessions.txt') => {
  const scopes = name === 'sessions.txt' ? [...namespaces(), ...sessions(name)] : sessions(name);
  const embedders = vectors ? createEmbedders({ mode: 'local', dimensions: 0 }) : undefined;
  const known = new Map();
  const embed = async (texts) => {
    const wanted = [...new Set(texts)].filter((text) => !known.has(text));
    for (let from = 0; from < wanted.length && embedders !== undefined; from += BATCH) {
      const batch = wanted.slice(from, from + BATCH);
      const found = await embedders.current.embed(batch, AbortSignal.timeout(60_000));
      batch.forEach((text, at) => known.set(text, unitVector(packVector(found[at]))));
    }
    return texts.map((text) => known.get(text));
  };
  const questions = [];
  for (const { kind, half, records, foreign } of scopes) {
    const texts = records.map(({ text }) => text);
    const own = await embed(texts.map((text) => embeddedRecord(text)));
    const ask = async (text, asked, right) => {
      const [vector] = await embed([embeddedQuestion(text, [])]);
      const read = answerReader(text, SUBJECTS, texts);
      const evidence = texts.map((one, at) => ({
        ...read({ said: [one], asked: [] }),
        likeness: vectors ? own[at].reduce((sum, part, place) => sum + part * vector[place], 0) : null,
      }));
      questions.push({ kind, half, text, asked, right, evidence });
    };
    for (const [right, record] of records.entries())
      for (const [asked, text] of Object.entries(record.asked)) await ask(text, asked, right);
    for (const text of foreign) await ask(text, 'foreign', null);
  }
  await embedders?.close();
  return questions;
};

export const rateOf = (some, all) => (100 * some) / Math.max(1, all);
