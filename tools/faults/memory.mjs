/**
 * A memory for conversations, and a webhook endpoint of each format.
 *
 * @param {any} api
 * @param {{ name: string, webhooks: string }} what `webhooks`: address of the receiver
 * @returns {Promise<{ memory: { id: string }, endpoints: { id: string }[] }>}
 */
export const createMemory = async (api, { name, webhooks: url }) => ({
  memory: await api.post('/memory/memories', {
    name,
    longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/facts/{actorId}' }],
  }),
  endpoints: await Promise.all(
    ['standard', 'agora'].map((format) => api.post('/v1/webhook-endpoints', { url, format })),
  ),
});
