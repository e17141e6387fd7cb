const CREDENTIAL = '-H "Authorization: Bearer $TURNKEEPER_API_KEY" -H "Content-Type: application/json"';

export const appendSnippet = (origin: string, memoryId: string): string =>
  `curl -s -X POST "${origin}/memory/memories/${memoryId}/actors/linh/sessions/call-1/events" \\
  ${CREDENTIAL} \\
  -d '{"payload":{"type":"CONVERSATIONAL","role":"user","message":"I moved to Hue last month."}}'`;

export const searchSnippet = (origin: string, memoryId: string, namespace: string): string =>
  `curl -s -X POST "${origin}/memory/memories/${memoryId}/memory-records:search?namespace=${encodeURIComponent(namespace)}" \\
  ${CREDENTIAL} \\
  -d '{"query":"Where does she live?","limit":5}'`;

export const sdkSnippet = (origin: string, memoryId: string): string =>
  `import { Turnkeeper } from '@turnkeeper/client';

const turnkeeper = new Turnkeeper({ baseUrl: '${origin}', apiKey: process.env.TURNKEEPER_API_KEY });
const session = turnkeeper.memory('${memoryId}').session('linh', 'call-1');
await session.append({ role: 'user', content: 'I moved to Hue last month.' });`;
