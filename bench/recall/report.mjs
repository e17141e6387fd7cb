const COLUMNS = ['R@5', 'R@10', 'R@25', 'R@50', 'MRR', 'nDCG@10', 'any@10', 'all@10'];

/**
 * Prints the tables: over all questions that have an answer, then by category.
 *
 * @param leftOut number of questions that no turn answers
 */
export const report = (say, results, context, calibrated, leftOut) => {
  const cell = (value) => (value === undefined || Number.isNaN(value) ? '–' : value.toFixed(1)).padStart(8);
  const head = (title) => `\n${title.padEnd(20)}${COLUMNS.map((name) => name.padStart(8)).join('')}`;
  const line = (name, row, rest = '') => say(`${name.padEnd(20)}${COLUMNS.map((of) => cell(row[of])).join('')}${rest}`);
  const first = Object.values(results)[0];
  if (leftOut > 0) say(`${leftOut} questions left out: no turn answers them`);
  say(`${head(`${first.questions} questions`)}  p50 ms  p95 ms`);
  for (const [name, { all, p50, p95 }] of Object.entries(results)) line(name, all, cell(p50) + cell(p95));
  for (const category of Object.keys(first.byCategory)) {
    say(head(`${category} (${first.byCategory[category].questions})`));
    for (const [name, { byCategory }] of Object.entries(results)) line(name, byCategory[category]);
  }
  say('');
  for (const [budget, share] of Object.entries(context)) {
    say(`context block of ${budget} tokens: ${share.toFixed(1)} % of the answers' words`);
  }
  for (const [name, { kept, foreign, asked }] of Object.entries(calibrated)) {
    say(
      `${name} at 0.5: ${kept.toFixed(1)} % of right hits stay; ${foreign.toFixed(1)} % of ${asked} questions of another conversation get a hit`,
    );
  }
  say('');
  for (const name of ['turnkeeper turns', 'turnkeeper records']) {
    say(`${name}  R@10 ${results[name].all['R@10'].toFixed(1)}`);
  }
};
