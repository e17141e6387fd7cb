import { Anchor, Badge, Button, Group, NativeSelect, Switch, Table, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ask } from '../../api/client';
import { useFilters } from '../../app/filters';
import { useT } from '../../text/text';
import { Asked, Empty, ProblemAlert } from '../../ui/ask';
import { Id, NextPage, Listing, Status, When } from '../../ui/parts';
import { StoredText } from '../../ui/stored-text';
import { MemoryHead, useStrategies } from '../memory-head';

const LIMIT = 50;

export const Records = () => {
  const t = useT();
  const { memoryId = '' } = useParams({ strict: false });
  const [filters, setFilters] = useFilters();
  const strategies = useStrategies(memoryId);
  const { namespace, event, after, superseded } = filters;
  // The API lists by namespace, by strategy or by turn: without a filter, the first strategy is shown.
  const isNarrow = namespace !== undefined || event !== undefined;
  const strategy = filters['strategy'] ?? (isNarrow ? undefined : strategies.data?.[0]?.id);
  const records = useQuery({
    queryKey: ['memory', memoryId, 'records', filters, strategy],
    enabled: isNarrow || strategy !== undefined,
    queryFn: () =>
      ask(
        api.GET('/memory/memories/{memoryId}/memory-records', {
          params: {
            path: { memoryId },
            query: {
              limit: LIMIT,
              ...(namespace ? { namespace } : {}),
              ...(strategy ? { longTermMemoryStrategyId: strategy } : {}),
              ...(event ? { sourceEventId: event } : {}),
              ...(after ? { after } : {}),
              includeSuperseded: superseded === 'yes' ? 'true' : 'false',
            },
          },
        }),
      ),
    refetchInterval: after === undefined ? 5_000 : false,
  });
  const isFiltered = [namespace, filters['strategy'], event].some((value) => value !== undefined);
  const isUnasked = strategies.data?.length === 0 && !isNarrow && filters['strategy'] === undefined;
  return (
    <>
      <MemoryHead memoryId={memoryId} section="records" />
      <Group mb="md" align="flex-end" gap="sm">
        <NamespaceFilter
          key={namespace}
          value={namespace ?? ''}
          onChange={(value) => setFilters({ namespace: value })}
        />
        <NativeSelect
          label={t('strategy')}
          value={strategy ?? ''}
          onChange={(change) => setFilters({ strategy: change.currentTarget.value || undefined })}
          data={[
            ...(isNarrow ? [{ value: '', label: t('all') }] : []),
            ...(strategies.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <Switch
          mb={8}
          label={t('showSuperseded')}
          checked={superseded === 'yes'}
          onChange={(change) => setFilters({ superseded: change.currentTarget.checked ? 'yes' : undefined })}
        />
        {isFiltered && (
          <Button
            variant="subtle"
            onClick={() => setFilters({ namespace: undefined, strategy: undefined, event: undefined })}
          >
            {t('clearFilters')}
          </Button>
        )}
      </Group>
      {isUnasked && <Empty title={t('enterNamespace')} />}
      {strategies.isError && <ProblemAlert error={strategies.error} />}
      {!isUnasked && !strategies.isError && (
        <Asked query={records}>
          {(list) => (
            <Listing
              label={t('records')}
              columns={[t('memory'), t('strength'), t('saidAt'), t('eventTime'), t('namespace')]}
              minWidth={820}
              items={list}
              empty={
                <Empty title={t(isFiltered ? 'nothingFound' : 'noRecords')}>
                  {!isFiltered && <span>{t('noRecordsAbout')}</span>}
                </Empty>
              }
              more={<NextPage next={list.length < LIMIT ? null : (list.at(-1)?.id ?? null)} />}
            >
              {(record) => (
                <Table.Tr key={record.id}>
                  <Table.Td maw={520}>
                    <Anchor
                      component={Link}
                      to={`/memories/${memoryId}/records/${record.id}`}
                      size="sm"
                      td={record.supersededBy === null ? undefined : 'line-through'}
                    >
                      <StoredText inline text={record.memory} />
                    </Anchor>{' '}
                    {record.supersededBy !== null && (
                      <Badge variant="outline" color="gray" tt="none">
                        {t('superseded')}
                      </Badge>
                    )}
                  </Table.Td>
                  <Table.Td>{record.strength === null ? '–' : <Status value={record.strength} />}</Table.Td>
                  <Table.Td>
                    <When at={record.saidAt} />
                  </Table.Td>
                  <Table.Td>{eventTimeOf(record.eventTime)}</Table.Td>
                  <Table.Td>
                    <Id>{record.namespace}</Id>
                  </Table.Td>
                </Table.Tr>
              )}
            </Listing>
          )}
        </Asked>
      )}
    </>
  );
};

export const eventTimeOf = (time: { from: string | null; to: string | null } | null): string => {
  if (time === null) return '–';
  const { from, to } = time;
  return from === to ? (from ?? '–') : `${from ?? '…'} – ${to ?? '…'}`;
};

interface NamespaceFilterProps {
  readonly value: string;
  readonly onChange: (value: string | undefined) => void;
}

/** Applied on Enter or when the field is left. */
const NamespaceFilter = ({ value, onChange }: NamespaceFilterProps) => {
  const t = useT();
  const [typed, setTyped] = useState(value);
  const apply = (): void => {
    if (typed !== value) onChange(typed || undefined);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <TextInput
        label={t('namespace')}
        placeholder="/facts/linh"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={apply}
      />
    </form>
  );
};
