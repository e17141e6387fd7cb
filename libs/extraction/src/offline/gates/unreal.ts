/** Statements about fiction, or not meant literally. */
interface Family {
  readonly name: 'hypothetical' | 'sarcasm' | 'request';
  readonly pattern: RegExp;
}

const FAMILIES: readonly Family[] = [
  {
    name: 'hypothetical',
    pattern:
      /^\W*(?:and |but |so |well,? |hm+,? )?(?:if|suppos(?:e|ing)|imagine|let['’]?s say|let us say|say (?:i|we|my)\b|what if|assuming|assume|pretend|as if|as though|in another life|unless)\b/i,
  },
  {
    name: 'hypothetical',
    pattern:
      /\b(?:i|we) (?:\w{1,30} )?wish\b|\bif (?:i|we) (?:were|had|was|could)\b|\bin (?:a|another|my next) (?:perfect world|life)\b|\bwish(?:ing)? (?:i|we)\b/i,
  },
  {
    name: 'sarcasm',
    pattern:
      /^\W*(?:oh|yeah|wow|great|wonderful|fantastic|lovely|brilliant|perfect|terrific|sure)[,.! ]+(?:(?:great|wonderful|fantastic|lovely|brilliant|perfect|right|just)[,.! ]+)*(?:(?:another|more)\b|right,|because\b|(?:i|we) (?:just |so |simply |absolutely )+(?:love|adore|enjoy)\b|my favou?rite thing:)/i,
  },
  {
    name: 'sarcasm',
    pattern:
      /(?:^|\s)\/s\s*$|\bjust what (?:i|we) (?:needed|wanted)\b|^\W*(?:yeah|sure),? right\b|\bas if (?:i|we)\b|\bhow (?:i|we) (?:just )?(?:love|enjoy)\b/i,
  },
  {
    name: 'request',
    pattern:
      /^\W*(?:please )?(?:can|could|would|will|may|do|does|did|is|are|was|were|have|has|should)(?:n['’]t)? (?:you|i|we|they|he|she|it|my|your|the|there)\b/i,
  },
  {
    name: 'request',
    pattern:
      /^\W*(?:what|when|where|who|whose|why|how|which) (?:much|many|long|often|come|about|is|are|was|were|does|do|did|can|could|will|would|should)\b/i,
  },
];

/** Why a sentence states no fact; null if it may. */
export const unrealIn = (sentence: string): Family['name'] | null =>
  FAMILIES.find(({ pattern }) => pattern.test(sentence))?.name ?? null;

export const examples = {
  unreal: [
    'If I won the lottery, I would buy a boat.',
    "Let's say I live in Rome and earn 3,000 a month.",
    'I wish I had a garden.',
    'Oh great, I just love waiting on hold.',
    'Yeah right, I am a millionaire.',
    'I really enjoy traffic jams /s',
    'can you tell me where my order is',
  ],
  real: [
    'I love waking up early.',
    'I really enjoy long train rides.',
    'I moved to Ghent in May.',
    'When I was five I lived in Cork.',
  ],
};
