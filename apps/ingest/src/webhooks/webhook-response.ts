import type { DeliveryContent, DeliveryView, WebhookEndpoint } from '@turnkeeper/application';
import type { OutputOf, routes } from '@turnkeeper/contracts';
import { statusOf } from '../agents/agent-response.js';
import { agoraContentOf, validSecrets, type Agent, type LogEvent } from '@turnkeeper/domain';

type EndpointAnswer = OutputOf<typeof routes.getWebhookEndpoint>;
type DeliveryAnswer = OutputOf<typeof routes.listWebhookDeliveries>['items'][number];
type ContentAnswer = OutputOf<typeof routes.getWebhookDelivery>;
type HistoryAnswer = OutputOf<typeof routes.getWholeHistory>;

/** Omits secrets, which are shown once, on creation. */
export const endpointResponse = (endpoint: WebhookEndpoint, now: Date): EndpointAnswer => ({
  id: endpoint.endpointId,
  url: endpoint.url,
  description: endpoint.description,
  events: endpoint.events === null ? null : [...endpoint.events],
  format: endpoint.format,
  status: endpoint.status,
  secrets: validSecrets(endpoint.secrets, now).map(({ createdAt, expiresAt }) => ({ createdAt, expiresAt })),
  createdAt: endpoint.createdAt,
});

/** The response to the request that created the newest secret. */
export const endpointWithSecretResponse = (endpoint: WebhookEndpoint, now: Date) => ({
  ...endpointResponse(endpoint, now),
  secret: endpoint.secrets[0]?.secret ?? '',
});

export const deliveryResponse = ({ deliveryId, delivery, history, ...view }: DeliveryView): DeliveryAnswer => ({
  id: deliveryId,
  ...view,
  ...delivery,
  history: history.map((attempt) => ({ ...attempt })),
});

/** The body as text. A character that the size limit has cut is left out. */
export const deliveryContentResponse = ({ body, bodyBytes, ...view }: DeliveryContent): ContentAnswer => ({
  ...deliveryResponse(view),
  body: body === null ? null : new TextDecoder().decode(body, { stream: true }),
  bodyBytes,
});

export const wholeHistoryResponse = (
  agent: Agent,
  messages: readonly LogEvent<'message.appended'>[],
): HistoryAnswer => ({
  agentId: agent.agentId,
  status: statusOf(agent),
  contents: messages.map(({ data, eventId, sequence, recordedAt }) => ({
    ...agoraContentOf(data),
    eventId,
    sequence,
    recordedAt,
  })) as HistoryAnswer['contents'],
});
