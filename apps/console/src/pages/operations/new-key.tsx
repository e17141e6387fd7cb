import { Checkbox, Stack } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api/client';
import { useChange } from '../../api/use-change';
import type { Key as TextKey } from '../../text/en';
import { useT } from '../../text/text';
import { FormDialog } from '../../ui/form-dialog';
import { SecretOnce } from '../webhooks/list';

/** In the order of the form: parts after the scope that includes them. */
const SCOPES = [
  ...(['memory:read', 'content:read', 'memory:export'] as const),
  ...(['memory:write', 'content:write', 'memory:configure', 'memory:delete', 'memory:import'] as const),
  ...(['agents:read', 'agents:write', 'webhooks:admin', 'vendors:admin', 'audit:read', 'admin'] as const),
];
type Scope = (typeof SCOPES)[number];
const INITIAL_SCOPES = ['memory:read'];

/** What the scopes allow whose names do not say it. */
const ABOUT: Partial<Record<Scope, TextKey>> = {
  'memory:read': 'scopeReadAbout',
  'memory:write': 'scopeWriteAbout',
  'content:read': 'scopeContentReadAbout',
  'content:write': 'scopeContentWriteAbout',
  'memory:configure': 'scopeConfigureAbout',
  'memory:delete': 'scopeDeleteAbout',
};

export const NewKey = ({ tenantId }: { readonly tenantId: string }) => {
  const t = useT();
  const change = useChange('keys', tenantId);
  const [scopes, setScopes] = useState<string[]>(INITIAL_SCOPES);
  const create = (values: Readonly<Record<string, string>>) => {
    const { description = '', expiresInDays = '', memoryId = '', actorId = '' } = values;
    return change(
      api.POST('/v1/admin/tenants/{tenantId}/keys', {
        params: { path: { tenantId } },
        body: {
          description,
          scopes: SCOPES.filter((scope) => scopes.includes(scope)),
          memoryId: memoryId.trim() || null,
          actorId: actorId || null,
          ...(expiresInDays === '' ? {} : { expiresInDays: Number(expiresInDays) }),
        },
      }),
    );
  };
  const aboutOf = (scope: Scope): string | undefined => {
    const about = ABOUT[scope];
    return about && t(about);
  };
  const scopesInput = (
    <Checkbox.Group label={t('scopes')} value={scopes} onChange={setScopes}>
      <Stack gap="xs" mt="xs">
        {SCOPES.map((scope) => (
          <Checkbox key={scope} value={scope} label={scope} description={aboutOf(scope)} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
  return (
    <FormDialog
      title={t('createKey')}
      run={create}
      onClose={() => setScopes(INITIAL_SCOPES)}
      done={({ apiKey }, close) => <SecretOnce secret={apiKey} onClose={close} />}
      fields={[
        { name: 'description', label: t('description') },
        { name: 'scopes', input: scopesInput },
        { name: 'expiresInDays', label: t('expiresInDays'), kind: 'number', description: t('expiresInDaysAbout') },
        { name: 'memoryId', label: t('memoryId'), description: t('keyMemoryAbout') },
        { name: 'actorId', label: t('actorId'), description: t('keyActorAbout') },
      ]}
    />
  );
};
