import { Button, Checkbox, Modal, NumberInput, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ask } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useT } from '../../text/text';
import { FormEnd } from '../../ui/form-end';
import { SecretOnce } from '../webhooks/list';

const SCOPES = [
  ...(['memory:read', 'memory:write', 'agents:read', 'agents:write'] as const),
  ...(['webhooks:admin', 'vendors:admin', 'audit:read', 'admin'] as const),
];

export const NewKey = ({ tenantId }: { readonly tenantId: string }) => {
  const t = useT();
  const queryClient = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const [description, setDescription] = useState('');
  const [scopes, setScopes] = useState<string[]>(['memory:read']);
  const [memoryId, setMemoryId] = useState('');
  const [actorId, setActorId] = useState('');
  const [days, setDays] = useState<number | string>('');
  const creating = useMutation({
    mutationFn: () =>
      ask(
        api.POST('/v1/admin/tenants/{tenantId}/keys', {
          params: { path: { tenantId } },
          body: {
            description,
            scopes: SCOPES.filter((scope) => scopes.includes(scope)),
            memoryId: memoryId === '' ? null : memoryId,
            actorId: actorId === '' ? null : actorId,
            ...(days === '' ? {} : { expiresInDays: Number(days) }),
          },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['keys', tenantId] }),
  });
  const rule = (field: string) => problemOf(creating.error)?.ruleFor(field) ?? null;
  const end = (): void => {
    creating.reset();
    close();
  };
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('createKey')}
      </Button>
      <Modal opened={opened} onClose={end} title={t('createKey')} closeButtonProps={{ 'aria-label': t('close') }}>
        {creating.isSuccess ? (
          <SecretOnce secret={creating.data.apiKey} onClose={end} />
        ) : (
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              creating.mutate();
            }}
          >
            <Stack>
              <TextInput
                label={t('description')}
                value={description}
                onChange={(event) => setDescription(event.currentTarget.value)}
                data-autofocus
              />
              <Checkbox.Group label={t('scopes')} value={scopes} onChange={setScopes}>
                <Stack gap="xs" mt="xs">
                  {SCOPES.map((scope) => (
                    <Checkbox key={scope} value={scope} label={scope} />
                  ))}
                </Stack>
              </Checkbox.Group>
              <NumberInput
                label={t('expiresInDays')}
                description={t('expiresInDaysAbout')}
                value={days}
                onChange={setDays}
                error={rule('expiresInDays')}
                hideControls
              />
              <TextInput
                label={t('memoryId')}
                description={t('keyMemoryAbout')}
                value={memoryId}
                onChange={(event) => setMemoryId(event.currentTarget.value.trim())}
                error={rule('memoryId')}
              />
              <TextInput
                label={t('actorId')}
                description={t('keyActorAbout')}
                value={actorId}
                onChange={(event) => setActorId(event.currentTarget.value)}
                error={rule('actorId')}
              />
              <FormEnd creating={creating} onCancel={end} />
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
};
