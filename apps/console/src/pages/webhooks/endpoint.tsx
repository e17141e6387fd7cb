import { Alert, Button, SimpleGrid } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api, ask, type Schemas } from '../../api/client';
import { useChange } from '../../api/use-change';
import { useGet } from '../../api/use-get';
import { useT } from '../../text/text';
import { Asked, ProblemAlert } from '../../ui/ask';
import { ConfirmButton } from '../../ui/confirm';
import { FormDialog } from '../../ui/form-dialog';
import { Fact, Id, PageHead, Panel, Status, When } from '../../ui/parts';
import { StoredText } from '../../ui/stored-text';
import { OVERLAP_HOURS, overlapInSeconds } from '../overlap';
import { Deliveries } from './deliveries';
import { SecretOnce } from './list';

export const Endpoint = () => {
  const t = useT();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { endpointId = '' } = useParams({ strict: false });
  const params = { path: { endpointId } };
  const endpoint = useGet(['webhook', endpointId], '/v1/webhook-endpoints/{endpointId}', params);
  const change = useChange('webhook', endpointId);
  const switching = useMutation({
    mutationFn: (to: 'pause' | 'resume'): Promise<unknown> =>
      to === 'pause'
        ? change(api.POST('/v1/webhook-endpoints/{endpointId}/pause', { params }))
        : change(api.POST('/v1/webhook-endpoints/{endpointId}/resume', { params })),
  });
  const testing = useMutation({
    mutationFn: () => ask(api.POST('/v1/webhook-endpoints/{endpointId}/test', { params })),
  });
  const rotate = ({ overlapSeconds: hours }: Readonly<Record<string, string>>) => {
    const body = overlapInSeconds(hours);
    return change(api.POST('/v1/webhook-endpoints/{endpointId}/rotate-secret', { params, body }));
  };
  const remove = async (): Promise<void> => {
    await ask(api.DELETE('/v1/webhook-endpoints/{endpointId}', { params, parseAs: 'text' }));
    await navigate({ to: '/webhooks' });
    await queryClient.invalidateQueries({ queryKey: ['webhooks'] });
  };
  return (
    <Asked query={endpoint}>
      {(found) => (
        <>
          <PageHead
            title={<StoredText inline text={found.url} />}
            about={found.description === '' ? undefined : <StoredText inline text={found.description} />}
          >
            <Button variant="default" loading={testing.isPending} onClick={() => testing.mutate()}>
              {t('sendTest')}
            </Button>
            <Button
              variant="default"
              loading={switching.isPending}
              onClick={() => switching.mutate(found.status === 'active' ? 'pause' : 'resume')}
            >
              {t(found.status === 'active' ? 'pause' : 'resume')}
            </Button>
            <FormDialog
              title={t('rotateSecret')}
              about={t('rotateAbout')}
              action={t('rotateSecret')}
              fields={[{ name: 'overlapSeconds', label: t('overlapHours'), ...OVERLAP_HOURS }]}
              run={rotate}
              done={({ secret }, close) => <SecretOnce secret={secret} onClose={close} />}
            />
            <ConfirmButton
              label={t('delete')}
              name={found.url}
              title={t('deleteEndpoint')}
              warning={t('deleteEndpointWarning')}
              run={remove}
            />
          </PageHead>
          {[switching, testing].map((each, index) =>
            each.isError ? <ProblemAlert key={index} error={each.error} /> : null,
          )}
          {testing.isSuccess && <TestResult result={testing.data} />}
          <EndpointFacts endpoint={found} />
          <Deliveries endpointId={endpointId} />
        </>
      )}
    </Asked>
  );
};

const TestResult = ({
  result: { delivered, reason, status, durationMs, detail },
}: {
  readonly result: Schemas['WebhookTestResult'];
}) => {
  const t = useT();
  return (
    <Alert mb="md" color={delivered ? 'teal' : 'red'} role="status" title={t('testResult')}>
      {[reason, status, `${durationMs} ms`].filter((part) => part !== null).join(' · ')}
      {detail !== null && <StoredText text={detail} />}
    </Alert>
  );
};

const EndpointFacts = ({
  endpoint: { id, status, events, secrets },
}: {
  readonly endpoint: Schemas['WebhookEndpoint'];
}) => {
  const t = useT();
  return (
    <Panel>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        <Fact label="ID">
          <Id>{id}</Id>
        </Fact>
        <Fact label={t('status')}>
          <Status value={status} />
        </Fact>
        <Fact label={t('events')}>{events === null ? t('all') : events.join(', ')}</Fact>
        <Fact label={t('secrets')}>
          {secrets.map(({ createdAt, expiresAt }) => (
            <div key={createdAt}>
              <When at={createdAt} />
              {expiresAt !== null && (
                <>
                  {' '}
                  ({t('until')} <When at={expiresAt} />)
                </>
              )}
            </div>
          ))}
        </Fact>
      </SimpleGrid>
    </Panel>
  );
};
