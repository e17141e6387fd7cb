import type { Strength } from '@turnkeeper/domain';

/** Hedged statements. Tried first, because "does not really love" is not love. */
const WEAK =
  /\b(?:ok|okay|fine|all right|alright) with\b|\b(?:does not|do not|doesn't|don't) mind\b|\b(?:not|n't) (?:really |particularly |especially )?(?:love|adore)|\b(?:not|n't) (?:really|particularly|especially|very|much)\b|\b(?:kind|sort) of\b|\b(?:somewhat|slightly|a little|a bit|sometimes|occasionally|rarely|now and then|might|maybe)\b/i;

/** Love and hate, superlatives, and constraints (what a person cannot or must not do). */
const STRONG =
  /\b(?:lov(?:e|es|ed|ing)|ador(?:e|es|ed)|hat(?:e|es|ed)|detests?|loathes?|despises?|craves?|(?:cannot|can't|can not) stand|obsessed|passionate|addicted|crazy about|favou?rites?|the (?:best|worst)|absolutely|allerg(?:y|ies|ic)|intoleran(?:t|ce)|vegan|vegetarian|pescatarian|diabetic|co?eliac|(?:cannot|can't|can not|must not|mustn't|never|always|only|not allowed)\b)/i;

/** The same in the other languages of notes. Boundaries by letter: `\b` knows only ASCII. */
const whole = (words: string): RegExp => new RegExp(`(?<![\\p{L}\\p{M}])(?:${words})(?![\\p{L}\\p{M}])`, 'iu');
const WEAK_ELSEWHERE = whole(
  'no me (?:importa|molesta)|a veces|un poco|de vez en cuando|quizás?|manchmal|ein bisschen|ab und zu|vielleicht|macht mir nichts aus|parfois|un peu|de temps en temps|peut-être|às vezes|um pouco|talvez|thỉnh thoảng|đôi khi|hơi|cũng được',
);
const STRONG_ELSEWHERE = whole(
  'me encantan?|adoro|odio|detesto|no soporto|nunca|siempre|favorit[oa]s?|preferid[oa]s?|alérgic[oa]|alergia|vegan[oa]|vegetarian[oa]|diabétic[oa]|celíac[oa]|liebe|hasse|niemals|nie|immer|lieblings\\p{L}*|allergi\\p{L}*|vegan\\p{L}*|vegetarier(?:in)?|vertrage (?:kein\\p{L}*|nicht)|adore|déteste|jamais|toujours|préféré\\p{L}*|végétarien(?:ne)?|diabétique|amo|odeio|sempre|rất thích|ghét|yêu|mê|không bao giờ|luôn|dị ứng|ăn chay|tiểu đường',
);
const WEAK_CHINESE = /有时|偶尔|还行|还可以|一点|也许/u;
const STRONG_CHINESE = /最(?:爱|喜欢|讨厌)|讨厌|过敏|从不|总是|绝对|素食|吃素|糖尿病|受不了/u;

/**
 * How strongly a sentence states a preference: love, hate and constraints are strong; "okay with" and "sometimes" are
 * weak; likes and habits are moderate. In English, Spanish, German, French, Portuguese, Vietnamese and Chinese; a sentence
 * in another language is moderate.
 */
export const strengthOf = (text: string): Strength =>
  [WEAK, WEAK_ELSEWHERE, WEAK_CHINESE].some((words) => words.test(text))
    ? 'weak'
    : [STRONG, STRONG_ELSEWHERE, STRONG_CHINESE].some((words) => words.test(text))
      ? 'strong'
      : 'moderate';
