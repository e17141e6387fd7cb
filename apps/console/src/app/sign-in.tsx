import { Button, Center, Checkbox, Divider, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useT } from '../text/text';
import { ProblemAlert } from '../ui/ask';
import { startOidc } from './oidc';
import { Preferences } from './preferences';
import { useSession } from './session';

/** With an API key, or at the installation's issuer. */
export const SignIn = () => {
  const t = useT();
  const { config, error, signIn } = useSession();
  const [key, setKey] = useState('');
  const [keep, setKeep] = useState(false);
  const entering = useMutation({ mutationFn: () => signIn(key.trim(), keep) });
  const redirecting = useMutation({ mutationFn: startOidc });
  const failure = entering.error ?? redirecting.error ?? error;
  const oidc = config?.oidc?.clientId ? config.oidc : null;
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" radius="md" w={420} maw="100%">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            entering.mutate();
          }}
        >
          <Stack>
            <Title order={1} size="h2">
              Turnkeeper
            </Title>
            <Text size="sm" c="dimmed">
              {t('signInAbout')}
            </Text>
            {failure !== null && <ProblemAlert error={failure} />}
            {oidc !== null && (
              <>
                <Button loading={redirecting.isPending} onClick={() => redirecting.mutate(oidc)}>
                  {t('signInAt', { issuer: new URL(oidc.issuer).host })}
                </Button>
                <Divider label={t('or')} />
              </>
            )}
            <PasswordInput
              label={t('apiKey')}
              description={t('apiKeyAbout')}
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
              autoComplete="off"
              visibilityToggleButtonProps={{ 'aria-label': t('showKey'), tabIndex: 0 }}
              required
            />
            <Checkbox
              label={t('keepKey')}
              description={t('keepKeyAbout')}
              checked={keep}
              onChange={(event) => setKeep(event.currentTarget.checked)}
            />
            <Button type="submit" loading={entering.isPending} variant={oidc === null ? 'filled' : 'default'}>
              {t('signIn')}
            </Button>
            <Preferences />
          </Stack>
        </form>
      </Paper>
    </Center>
  );
};
