import { Alert, Anchor, Button, Code, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { problemOf } from '../api/problem';
import { useT } from '../text/text';
import { StoredText } from './stored-text';

/** What went wrong and what to do next, in the words of the API. */
export const ProblemAlert = ({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) => {
  const t = useT();
  const problem = problemOf(error);
  const message =
    problem?.message ?? (error instanceof TypeError ? t('serverUnreachable') : String((error as Error).message));
  return (
    <Alert color="red" variant="light" title={problem?.body.title ?? t('failed')} role="alert">
      <Stack gap="xs">
        <StoredText text={message} />
        {problem?.body.issues?.map(({ field, rule }) => (
          <Text size="sm" key={`${field} ${rule}`}>
            <Code>{field}</Code> {rule}
          </Text>
        ))}
        {problem?.body.next !== undefined && <StoredText text={problem.body.next} />}
        <Group gap="md">
          {problem?.body.code !== undefined && (
            <Anchor size="xs" underline="always" href={`/docs/errors#${problem.body.code}`} c="inherit">
              {problem.body.code}
            </Anchor>
          )}
          {retry !== undefined && (
            <Button size="compact-xs" variant="default" onClick={retry}>
              {t('tryAgain')}
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  );
};

const Loading = ({ rows = 5 }: { readonly rows?: number }) => {
  const t = useT();
  return (
    <Stack gap="sm" role="status">
      <VisuallyHidden>{t('loading')}</VisuallyHidden>
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={28} radius="sm" />
      ))}
    </Stack>
  );
};

export const Empty = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <Stack align="center" py="xl" gap="xs">
    <Text fw={600}>{title}</Text>
    {children}
  </Stack>
);

interface AskedProps<T> {
  readonly query: UseQueryResult<T>;
  readonly rows?: number;
  readonly children: (data: T) => ReactNode;
}

/** A query's loading, error and success state. Data that is being refreshed stays visible. */
export const Asked = <T,>({ query, rows, children }: AskedProps<T>) => {
  if (query.data !== undefined) {
    return (
      <>
        {query.isError && <ProblemAlert error={query.error} retry={() => void query.refetch()} />}
        {children(query.data)}
      </>
    );
  }
  if (query.isError) return <ProblemAlert error={query.error} retry={() => void query.refetch()} />;
  return <Loading {...(rows === undefined ? {} : { rows })} />;
};
