import { Anchor, Button, Group, NativeSelect, Switch, Text, TextInput } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type Schemas } from '../../api/client';
import { useGet } from '../../api/use-get';
import { useFilters } from '../../app/filters';
import { useT } from '../../text/text';
import { Asked, Empty, ProblemAlert } from '../../ui/ask';
import { DataTable } from '../../ui/data-table';
import { Id, NextPage, Tag, When } from '../../ui/parts';
import { StoredText } from '../../ui/stored-text';
import { MemoryHead, useStrategies } from '../memory-head';

const LIMIT = 50;

export const Records = () => {
  const t = useT();
  const { memoryId = '' } = useParams({ strict: false });
  const [filters] = useFilters();
  const strategies = useStrategies(memoryId);
  const { namespace, event, after, superseded } = filters;
  // The API lists by namespace, by strategy or by turn: without a filter, the first strategy is shown.
  const isNarrow = namespace !== undefined || event !== undefined;
  const strategy = filters['strategy'] ?? (isNarrow ? undefined : strategies.data?.[0]?.id);
  const records = useGet(
    ['memory', memoryId, 'records', filters, strategy],
    '/memory/memories/{memoryId}/memory-records',
    {
      path: { memoryId },
      query: {
        limit: LIMIT,
        namespace,
        longTermMemoryStrategyId: strategy,
        sourceEventId: event,
        after,
        includeSuperseded: superseded === 'yes' ? 'true' : 'false',
      },
      enabled: isNarrow || strategy !== undefined,
      refetchInterval: after === undefined ? 5_000 : false,
    },
  );
  const isFiltered = [namespace, filters['strategy'], event].some((value) => value !== undefined);
  const isUnasked = strategies.data?.length === 0 && !isNarrow && filters['strategy'] === undefined;
  return (
    <>
      <MemoryHead memoryId={memoryId} section="records" />
      <RecordFilters
        strategies={strategies.data ?? []}
        strategy={strategy}
        isNarrow={isNarrow}
        isFiltered={isFiltered}
      />
      {isUnasked && <Empty title={t('enterNamespace')} />}
      {strategies.isError && <ProblemAlert error={strategies.error} />}
      {!isUnasked && !strategies.isError && (
        <Asked query={records}>
          {(list) => <RecordTable memoryId={memoryId} records={list} isFiltered={isFiltered} />}
        </Asked>
      )}
    </>
  );
};

interface FiltersProps {
  readonly strategies: readonly { readonly id: string; readonly name: string }[];
  /** The one whose records are shown. */
  readonly strategy: string | undefined;
  /** The list is narrowed by something else than a strategy. */
  readonly isNarrow: boolean;
  readonly isFiltered: boolean;
}

const RecordFilters = ({ strategies, strategy, isNarrow, isFiltered }: FiltersProps) => {
  const t = useT();
  const [{ namespace, superseded }, setFilters] = useFilters();
  return (
    <Group mb="md" align="flex-end" gap="sm">
      <NamespaceFilter key={namespace} value={namespace ?? ''} onChange={(value) => setFilters({ namespace: value })} />
      <NativeSelect
        label={t('strategy')}
        value={strategy ?? ''}
        onChange={(change) => setFilters({ strategy: change.currentTarget.value || undefined })}
        data={[
          ...(isNarrow ? [{ value: '', label: t('all') }] : []),
          ...strategies.map(({ id, name }) => ({ value: id, label: name })),
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
  );
};

interface TableProps {
  readonly memoryId: string;
  readonly records: readonly Schemas['MemoryRecord'][];
  readonly isFiltered: boolean;
}

const RecordTable = ({ memoryId, records, isFiltered }: TableProps) => {
  const t = useT();
  return (
    <DataTable
      label={t('records')}
      minWidth={820}
      items={records}
      keyOf={({ id }) => id}
      empty={
        <Empty title={t(isFiltered ? 'nothingFound' : 'noRecords')}>
          {!isFiltered && <span>{t('noRecordsAbout')}</span>}
        </Empty>
      }
      more={<NextPage next={records.length < LIMIT ? null : (records.at(-1)?.id ?? null)} />}
      columns={[
        {
          title: t('memory'),
          maxWidth: 520,
          cell: ({ id, memory, supersededBy }) => (
            <>
              <Anchor
                component={Link}
                to={`/memories/${memoryId}/records/${id}`}
                size="sm"
                td={supersededBy === null ? undefined : 'line-through'}
              >
                <StoredText inline text={memory} />
              </Anchor>{' '}
              {supersededBy !== null && <Tag>{t('superseded')}</Tag>}
            </>
          ),
        },
        {
          title: t('attribute'),
          maxWidth: 260,
          cell: ({ attribute }) => (attribute === null ? '–' : <Attribute {...attribute} />),
        },
        { title: t('saidAt'), cell: ({ saidAt }) => <When at={saidAt} /> },
        { title: t('eventTime'), cell: ({ eventTime }) => eventTimeOf(eventTime) },
        { title: t('namespace'), cell: ({ namespace: value }) => <Id>{value}</Id> },
      ]}
    />
  );
};

/** A typed value with the name of its attribute. */
export const Attribute = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <>
    <Text span size="xs" c="dimmed">
      {name.replaceAll('_', ' ')}
    </Text>{' '}
    <StoredText inline text={value} />
  </>
);

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
