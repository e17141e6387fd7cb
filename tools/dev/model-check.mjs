/** A hanging endpoint must not block the start. */
const PATIENCE_MS = 4_000;

/**
 * Asks the endpoint of LLM_BASE_URL for its models; if it lists none, requests an answer to an empty list of messages,
 * which costs nothing. Never prints the key.
 *
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<string | undefined>} the problem and what to do; undefined if the model works or none is set
 */
export const checkModel = async ({ LLM_BASE_URL: base, LLM_MODEL: model, LLM_API_KEY: key }) => {
  if (!base) return undefined;
  if (!model) return 'LLM_MODEL is required with LLM_BASE_URL.';
  if (!URL.canParse(base)) return 'LLM_BASE_URL must be a URL.';
  const { origin, pathname } = new URL(base);
  const place = `LLM_BASE_URL ${origin}${pathname}`;
  const ask = (path, init = {}) =>
    fetch(`${base.replace(/\/$/, '')}${path}`, {
      ...init,
      headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  try {
    let answer = await ask('/models');
    if (answer.status === 404 || answer.status === 405) {
      answer = await ask('/chat/completions', { method: 'POST', body: JSON.stringify({ model, messages: [] }) });
    }
    const { status } = answer;
    await answer.body?.cancel();
    if (status === 401 || status === 403) return `${place} refuses the key (${status}). Check LLM_API_KEY.`;
    if (status === 404) return `${place} answers 404. Check the path, which usually ends in /v1, and LLM_MODEL.`;
    return status >= 500 ? `${place} answers ${status}.` : undefined;
  } catch (error) {
    const why =
      error.name === 'TimeoutError' ? `no answer within ${PATIENCE_MS / 1000} s` : (error.cause?.code ?? error.message);
    return `${place} cannot be reached (${why}). Check the address, and that the server runs.`;
  }
};
