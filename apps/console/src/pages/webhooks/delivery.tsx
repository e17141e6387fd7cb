import { Group, List, Modal, Stack, Text, Title } from '@mantine/core';
import { type Schemas } from '../../api/client';
import { useGet } from '../../api/use-get';
import { useT } from '../../text/text';
import { Asked } from '../../ui/ask';
import { CodeBlock, Id, Status, When } from '../../ui/parts';
import { StoredText } from '../../ui/stored-text';

type Content = Schemas['WebhookDeliveryContent'];

interface DeliveryDetailsProps {
  readonly endpointId: string;
  /** Undefined: closed. */
  readonly deliveryId: string | undefined;
  readonly onClose: () => void;
}

/** What was sent, and the response to each attempt. */
export const DeliveryDetails = ({ endpointId, deliveryId, onClose }: DeliveryDetailsProps) => {
  const t = useT();
  const content = useGet(
    ['webhook', endpointId, 'delivery', deliveryId],
    '/v1/webhook-endpoints/{endpointId}/deliveries/{deliveryId}',
    { path: { endpointId, deliveryId: deliveryId ?? '' }, enabled: deliveryId !== undefined, refetchInterval: 3_000 },
  );
  return (
    <Modal
      opened={deliveryId !== undefined}
      onClose={onClose}
      size="xl"
      title={t('delivery')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Asked query={content}>
        {(delivery) => (
          <Stack gap="md">
            <Group gap="xs">
              <Status value={delivery.status} />
              <Text size="sm">{delivery.eventType}</Text>
              <Id>{delivery.messageId}</Id>
            </Group>
            <Attempts history={delivery.history} />
            <Body delivery={delivery} />
          </Stack>
        )}
      </Asked>
    </Modal>
  );
};

const Attempts = ({ history }: { readonly history: Content['history'] }) => {
  const t = useT();
  return (
    <section>
      <Title order={3} size="h5" mb="xs">
        {t('attempts')}
      </Title>
      {history.length === 0 && <Text size="sm">{t('noAttempts')}</Text>}
      <List size="sm" listStyleType="none" spacing="sm">
        {history.map(({ attempt, at, reason, status, durationMs, detail, response }) => (
          <List.Item key={attempt}>
            {[`#${attempt}`, reason, status, `${durationMs} ms`].filter((part) => part !== null).join(' · ')} ·{' '}
            <When at={at} />
            {detail !== null && <StoredText text={detail} />}
            {response !== null && <CodeBlock label={t('response')} text={response} />}
          </List.Item>
        ))}
      </List>
    </section>
  );
};

const Body = ({ delivery: { body, bodyBytes, purgedAt } }: { readonly delivery: Content }) => {
  const t = useT();
  const isCut = body !== null && bodyBytes !== null && new TextEncoder().encode(body).length < bodyBytes;
  return (
    <section>
      <Title order={3} size="h5" mb="xs">
        {t('body')}
      </Title>
      {body === null ? (
        <Text size="sm">{t(purgedAt === null ? 'bodyPending' : 'bodyDropped')}</Text>
      ) : (
        <>
          {isCut && <Text size="sm">{t('bodyCut', { n: bodyBytes.toLocaleString() })}</Text>}
          <CodeBlock label={t('body')} text={indented(body)} />
        </>
      )}
    </section>
  );
};

/** JSON over several lines; anything else, such as JSON that was cut, as it is. */
const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};
