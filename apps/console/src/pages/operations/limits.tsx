import { Progress } from '@mantine/core';
import { useGet } from '../../api/use-get';
import { useT } from '../../text/text';
import { Asked } from '../../ui/ask';
import { DataTable } from '../../ui/data-table';
import { ModelDays } from '../../ui/model-days';

export const Limits = () => {
  const t = useT();
  const limits = useGet(['limits'], '/v1/limits', { refetchInterval: 5_000 });
  return (
    <Asked query={limits}>
      {({ limits: list, modelUsage }) => (
        <>
          <DataTable
            label={t('limits')}
            minWidth={480}
            items={list}
            keyOf={({ name }) => name}
            columns={[
              { title: t('name'), cell: ({ name }) => t(`limit_${name}`) },
              { title: t('used'), cell: ({ used }) => used.toLocaleString() },
              { title: t('limit'), cell: ({ limit }) => limit?.toLocaleString() ?? t('unlimited') },
              {
                title: t('share'),
                cell: ({ name, used, limit }) =>
                  limit !== null &&
                  limit > 0 && (
                    <Progress miw={180} value={Math.min(100, (used / limit) * 100)} aria-label={t(`limit_${name}`)} />
                  ),
              },
            ]}
          />
          {modelUsage.length > 0 && <ModelDays days={modelUsage} keyOf={({ day }) => day} />}
        </>
      )}
    </Asked>
  );
};
