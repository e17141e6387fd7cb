/** Questions and what answers them. Each question is unrelated to the other answers. */
const PAIRS: readonly (readonly [question: string, answer: string])[] = [
  ['Which pets do they have?', 'Has two dogs and a cat.'],
  ['How do they pay?', 'Settles invoices by bank transfer.'],
  ['What do they like to eat?', 'Loves Italian food, above all pasta.'],
  ['What is their job?', 'Works as a nurse in a hospital.'],
  ['Where do they live?', 'Has a flat in the centre of Oslo.'],
  ['Which sports do they play?', 'Trains with a basketball team.'],
  ['What music do they listen to?', 'Is a fan of jazz and blues.'],
  ['Why did they complain?', 'Was unhappy that the parcel came late.'],
];
/** The mean cosines of these pairs, and of the others, with the local model, to whose cosines scores were fitted. */
const FITTED = { related: 0.38, unrelated: 0.09 };
/** A model that tells less apart is left alone. */
const LEAST_APART = 0.02;

export const SCALE_TEXTS: readonly string[] = PAIRS.flat();

/** Mean cosines of the pairs and of the others. @param vectors of `SCALE_TEXTS` */
export const meansOf = (vectors: readonly (readonly number[])[]): { related: number; unrelated: number } => {
  let [related, unrelated] = [0, 0];
  for (let question = 0; question < PAIRS.length; question += 1)
    for (let answer = 0; answer < PAIRS.length; answer += 1) {
      const cosine = cosineOf(vectors[2 * question] ?? [], vectors[2 * answer + 1] ?? []);
      if (question === answer) related += cosine / PAIRS.length;
      else unrelated += cosine / (PAIRS.length * (PAIRS.length - 1));
    }
  return { related, unrelated };
};

/** From a model's cosines to those that the local model would have: the scale of every model is its own. */
export const scaleOf = (vectors: readonly (readonly number[])[]): ((cosine: number) => number) => {
  const { related, unrelated } = meansOf(vectors);
  if (related - unrelated < LEAST_APART) return (cosine) => cosine;
  const factor = (FITTED.related - FITTED.unrelated) / (related - unrelated);
  return (cosine) => Math.min(1, FITTED.unrelated + factor * (cosine - unrelated));
};

const cosineOf = (a: readonly number[], b: readonly number[]): number => {
  let [product, ofA, ofB] = [0, 0, 0];
  for (let at = 0; at < a.length; at += 1) {
    product += (a[at] ?? 0) * (b[at] ?? 0);
    ofA += (a[at] ?? 0) ** 2;
    ofB += (b[at] ?? 0) ** 2;
  }
  return ofA === 0 || ofB === 0 ? 0 : product / Math.sqrt(ofA * ofB);
};
