import { Button, Group, Table } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ask, type Schemas } from '../../api/client';
import { useFilters } from '../../app/filters';
import { useT } from '../../text/text';
import { Asked, Empty, ProblemAlert } from '../../ui/ask';
import { ConfirmByName } from '../../ui/confirm';
import { Id, NextPage, Listing, When } from '../../ui/parts';
import { ChoiceFilter } from '../../ui/choice-filter';
import { StoredText } from '../../ui/stored-text';

type Item = Schemas['ParkedWork'];
const KINDS = ['message', 'window', 'delivery', 'notice'] as const;

/** Work that was given up after retries, with its cause. */
export const Parked = () => {
  const t = useT();
  const queryClient = useQueryClient();
  const [filters] = useFilters();
  const [dropping, setDropping] = useState<Item | null>(null);
  const { after } = filters;
  const kind = KINDS.find((each) => each === filters['kind']);
  const parked = useQuery({
    queryKey: ['parked', kind, after],
    queryFn: () =>
      ask(
        api.GET('/v1/admin/parked', {
          params: { query: { limit: 50, ...(kind ? { kind } : {}), ...(after ? { after } : {}) } },
        }),
      ),
  });
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['parked'] });
  const replaying = useMutation({
    mutationFn: ({ id }: Item) =>
      ask(api.POST('/v1/admin/parked/{parkedId}/replay', { params: { path: { parkedId: id } }, parseAs: 'text' })),
    onSuccess: refresh,
  });
  const drop = async (): Promise<void> => {
    const params = { path: { parkedId: dropping?.id ?? '' } };
    await ask(api.DELETE('/v1/admin/parked/{parkedId}', { params, parseAs: 'text' }));
    await refresh();
  };
  return (
    <>
      <Group mb="md">
        <ChoiceFilter label={t('kind')} name="kind" choices={KINDS} />
      </Group>
      {replaying.isError && <ProblemAlert error={replaying.error} />}
      <Asked query={parked}>
        {({ items, next }) => (
          <Listing
            label={t('parkedWork')}
            columns={[t('kind'), t('reason'), t('attempts'), t('parkedAt'), t('action')]}
            items={items}
            empty={<Empty title={t('nothingParked')} />}
            more={<NextPage next={next} />}
          >
            {(item) => (
              <Table.Tr key={item.id}>
                <Table.Td>
                  {item.kind}
                  <br />
                  <Id>{item.id}</Id>
                </Table.Td>
                <Table.Td maw={480}>
                  <StoredText text={item.reason} />
                  {item.cause !== null && (
                    <details>
                      <summary>{t('cause')}</summary>
                      <StoredText text={item.cause} />
                    </details>
                  )}
                </Table.Td>
                <Table.Td>{item.attempts}</Table.Td>
                <Table.Td>
                  <When at={item.parkedAt} />
                </Table.Td>
                <Table.Td>
                  <Group gap="xs" wrap="nowrap">
                    <Button size="compact-sm" variant="default" onClick={() => replaying.mutate(item)}>
                      {t('replay')}
                    </Button>
                    <Button size="compact-sm" variant="outline" color="red" onClick={() => setDropping(item)}>
                      {t('drop')}
                    </Button>
                  </Group>
                </Table.Td>
              </Table.Tr>
            )}
          </Listing>
        )}
      </Asked>
      <ConfirmByName
        opened={dropping !== null}
        onClose={() => setDropping(null)}
        name={dropping?.id ?? ''}
        title={t('drop')}
        warning={t('dropWarning')}
        action={t('drop')}
        run={drop}
      />
    </>
  );
};
