import type { Schemas } from '../api/client';
import { useT } from '../text/text';
import { DataTable, type Column } from './data-table';

type Day = Omit<Schemas['MemoryUsage']['modelUsage'][number], 'strategyId'>;

interface ModelDaysProps<D extends Day> {
  readonly days: readonly D[];
  readonly keyOf: (day: D) => string;
  /** Whose calls they were; default: those of the whole tenant. */
  readonly of?: readonly Column<D>[];
}

/** What a model cost by day. */
export const ModelDays = <D extends Day>({ days, keyOf, of = [] }: ModelDaysProps<D>) => {
  const t = useT();
  return (
    <DataTable
      label={t('modelUsage')}
      items={days}
      keyOf={keyOf}
      columns={[
        { title: t('day'), cell: ({ day }) => day },
        ...of,
        { title: t('modelCalls'), cell: ({ calls }) => calls.toLocaleString() },
        { title: t('inputTokens'), cell: ({ inputTokens }) => inputTokens.toLocaleString() },
        { title: t('outputTokens'), cell: ({ outputTokens }) => outputTokens.toLocaleString() },
      ]}
    />
  );
};
