import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useChange } from '../../api/use-change';
import { useGet } from '../../api/use-get';
import { useFilters } from '../../app/filters';
import { useT } from '../../text/text';
import { Asked, Empty, ProblemAlert } from '../../ui/ask';
import { ConfirmButton } from '../../ui/confirm';
import { DataTable } from '../../ui/data-table';
import { Id, NextPage, When } from '../../ui/parts';
import { ChoiceFilter } from '../../ui/choice-filter';
import { StoredText } from '../../ui/stored-text';

const KINDS = ['message', 'window', 'delivery', 'notice'] as const;

/** Work that was given up after retries, with its cause. */
export const Parked = () => {
  const t = useT();
  const change = useChange('parked');
  const [filters] = useFilters();
  const { after } = filters;
  const kind = KINDS.find((each) => each === filters['kind']);
  const parked = useGet(['parked', kind, after], '/v1/admin/parked', { query: { limit: 50, kind, after } });
  const replaying = useMutation({
    mutationFn: (parkedId: string) =>
      change(api.POST('/v1/admin/parked/{parkedId}/replay', { params: { path: { parkedId } }, parseAs: 'text' })),
  });
  const drop = (parkedId: string) =>
    change(api.DELETE('/v1/admin/parked/{parkedId}', { params: { path: { parkedId } }, parseAs: 'text' }));
  return (
    <>
      <Group mb="md">
        <ChoiceFilter label={t('kind')} name="kind" choices={KINDS} />
      </Group>
      {replaying.isError && <ProblemAlert error={replaying.error} />}
      <Asked query={parked}>
        {({ items, next }) => (
          <DataTable
            label={t('parkedWork')}
            items={items}
            keyOf={({ id }) => id}
            empty={<Empty title={t('nothingParked')} />}
            more={<NextPage next={next} />}
            columns={[
              {
                title: t('kind'),
                cell: ({ kind: value, id }) => (
                  <>
                    {value}
                    <br />
                    <Id>{id}</Id>
                  </>
                ),
              },
              {
                title: t('reason'),
                maxWidth: 480,
                cell: ({ reason, cause }) => (
                  <>
                    <StoredText text={reason} />
                    {cause !== null && (
                      <details>
                        <summary>{t('cause')}</summary>
                        <StoredText text={cause} />
                      </details>
                    )}
                  </>
                ),
              },
              { title: t('attempts'), cell: ({ attempts }) => attempts },
              { title: t('parkedAt'), cell: ({ parkedAt }) => <When at={parkedAt} /> },
              {
                title: t('action'),
                cell: ({ id }) => (
                  <Group gap="xs" wrap="nowrap">
                    <Button size="compact-sm" variant="default" onClick={() => replaying.mutate(id)}>
                      {t('replay')}
                    </Button>
                    <ConfirmButton
                      compact
                      label={t('drop')}
                      name={id}
                      warning={t('dropWarning')}
                      run={() => drop(id)}
                    />
                  </Group>
                ),
              },
            ]}
          />
        )}
      </Asked>
    </>
  );
};
