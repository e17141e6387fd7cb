import { Progress, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, ask } from '../../api/client';
import { useT } from '../../text/text';
import { Asked } from '../../ui/ask';
import { Rows } from '../../ui/parts';

export const Limits = () => {
  const t = useT();
  const limits = useQuery({
    queryKey: ['limits'],
    queryFn: () => ask(api.GET('/v1/limits')),
    refetchInterval: 5_000,
  });
  return (
    <Asked query={limits}>
      {({ limits: list }) => (
        <Rows label={t('limits')} columns={[t('name'), t('used'), t('limit'), t('share')]} minWidth={480}>
          {list.map(({ name, used, limit }) => (
            <Table.Tr key={name}>
              <Table.Td>{t(`limit_${name}`)}</Table.Td>
              <Table.Td>{used.toLocaleString()}</Table.Td>
              <Table.Td>{limit === null ? t('unlimited') : limit.toLocaleString()}</Table.Td>
              <Table.Td w={200}>
                {limit !== null && limit > 0 && (
                  <Progress value={Math.min(100, (used / limit) * 100)} aria-label={t(`limit_${name}`)} />
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Rows>
      )}
    </Asked>
  );
};
