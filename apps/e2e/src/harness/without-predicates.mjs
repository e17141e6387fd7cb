// Preloaded into a process: removes the tenant predicate from every query, so that only row-level security is left. The
// parameters stay, so that their numbering stays valid.
import { appendFileSync } from 'node:fs';
import pg from 'pg';

const PREDICATE = /(\bwhere|\band|\bon|\()(\s*)((?:"?\w+"?\.)?"?tenant_id"?)\s*=\s*(\$\d+)(?:::uuid)?(?!\s*\()/gi;
const report = process.env['WITHOUT_PREDICATES_REPORT'];
const seen = new Map();

const stripped = (text) => {
  if (typeof text !== 'string' || !/tenant_id/i.test(text)) return text;
  let result = seen.get(text);
  if (result === undefined) {
    result = text.replace(
      PREDICATE,
      (_, before, space, __, parameter) => `${before}${space} ${parameter}::uuid is not null`,
    );
    seen.set(text, result);
    if (report && result !== text) appendFileSync(report, `${JSON.stringify(result)}\n`);
  }
  return result;
};

const { query } = pg.Client.prototype;
/** @this {pg.Client} */
function strippedQuery(config, ...rest) {
  if (typeof config === 'string') return Reflect.apply(query, this, [stripped(config), ...rest]);
  if (config !== null && typeof config === 'object' && typeof config.text === 'string') {
    return Reflect.apply(query, this, [Object.assign(config, { text: stripped(config.text) }), ...rest]);
  }
  return Reflect.apply(query, this, [config, ...rest]);
}
pg.Client.prototype.query = /** @type {any} */ (strippedQuery);
