import { Alert, Button, Group, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Modal } from '@mantine/core';
import { useState } from 'react';
import { api, ask } from '../../api/client';
import { useT } from '../../text/text';
import { Asked, ProblemAlert } from '../../ui/ask';
import { ConfirmByName } from '../../ui/confirm';
import { Fact, Id, PageHead, Panel, Status, When } from '../../ui/parts';
import { StoredText } from '../../ui/stored-text';
import { Deliveries } from './deliveries';
import { SecretOnce } from './list';

export const Endpoint = () => {
  const t = useT();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { endpointId = '' } = useParams({ strict: false });
  const params = { path: { endpointId } };
  const [isDeleting, deletion] = useDisclosure();
  const [isRotating, rotation] = useDisclosure();
  const endpoint = useQuery({
    queryKey: ['webhook', endpointId],
    queryFn: () => ask(api.GET('/v1/webhook-endpoints/{endpointId}', { params })),
  });
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['webhook', endpointId] });
  const switching = useMutation({
    mutationFn: (to: 'pause' | 'resume'): Promise<unknown> =>
      to === 'pause'
        ? ask(api.POST('/v1/webhook-endpoints/{endpointId}/pause', { params }))
        : ask(api.POST('/v1/webhook-endpoints/{endpointId}/resume', { params })),
    onSuccess: refresh,
  });
  const testing = useMutation({
    mutationFn: () => ask(api.POST('/v1/webhook-endpoints/{endpointId}/test', { params })),
  });
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
            <Button variant="default" onClick={rotation.open}>
              {t('rotateSecret')}
            </Button>
            <Button color="red" variant="outline" onClick={deletion.open}>
              {t('delete')}
            </Button>
          </PageHead>
          {[switching, testing].map((each, index) =>
            each.isError ? <ProblemAlert key={index} error={each.error} /> : null,
          )}
          {testing.isSuccess && (
            <Alert mb="md" color={testing.data.delivered ? 'teal' : 'red'} role="status" title={t('testResult')}>
              {[testing.data.reason, testing.data.status, `${testing.data.durationMs} ms`]
                .filter((part) => part !== null)
                .join(' · ')}
              {testing.data.detail !== null && <StoredText text={testing.data.detail} />}
            </Alert>
          )}
          <Panel>
            <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
              <Fact label="ID">
                <Id>{found.id}</Id>
              </Fact>
              <Fact label={t('status')}>
                <Status value={found.status} />
              </Fact>
              <Fact label={t('events')}>{found.events === null ? t('all') : found.events.join(', ')}</Fact>
              <Fact label={t('secrets')}>
                {found.secrets.map(({ createdAt, expiresAt }) => (
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
          <Deliveries endpointId={endpointId} />
          <Rotate endpointId={endpointId} opened={isRotating} onClose={rotation.close} onRotated={refresh} />
          <ConfirmByName
            opened={isDeleting}
            onClose={deletion.close}
            name={found.url}
            title={t('deleteEndpoint')}
            warning={t('deleteEndpointWarning')}
            action={t('delete')}
            run={remove}
          />
        </>
      )}
    </Asked>
  );
};

interface RotateProps {
  readonly endpointId: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onRotated: () => Promise<unknown>;
}

const Rotate = ({ endpointId, opened, onClose, onRotated }: RotateProps) => {
  const t = useT();
  const [hours, setHours] = useState<number | string>(24);
  const rotating = useMutation({
    mutationFn: () =>
      ask(
        api.POST('/v1/webhook-endpoints/{endpointId}/rotate-secret', {
          params: { path: { endpointId } },
          body: { overlapSeconds: Math.round(Number(hours) * 3_600) },
        }),
      ),
    onSuccess: onRotated,
  });
  const close = (): void => {
    rotating.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={t('rotateSecret')} closeButtonProps={{ 'aria-label': t('close') }}>
      {rotating.isSuccess ? (
        <SecretOnce secret={rotating.data.secret} onClose={close} />
      ) : (
        <Stack>
          <Text size="sm">{t('rotateAbout')}</Text>
          <NumberInput label={t('overlapHours')} value={hours} onChange={setHours} min={0} max={168} hideControls />
          {rotating.isError && <ProblemAlert error={rotating.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('cancel')}
            </Button>
            <Button loading={rotating.isPending} onClick={() => rotating.mutate()}>
              {t('rotateSecret')}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
};
