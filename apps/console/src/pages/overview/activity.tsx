import { SimpleGrid, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, ask, type Schemas } from '../../api/client';
import { useT } from '../../text/text';
import { Asked } from '../../ui/ask';
import { Chart } from '../../ui/chart';
import { Panel } from '../../ui/parts';

type Sample = Schemas['ActivitySample'];

const EVERY_MS = 10_000;
const HOUR_MS = 3_600_000;
/** A longer time without a sample is a gap in the chart, not a line across it. */
const GAP_MS = 40_000;

/** The whole hour once, and then only what is new. */
const useActivity = () => {
  const queryClient = useQueryClient();
  return useQuery({
    queryKey: ['activity'],
    queryFn: async (): Promise<readonly Sample[]> => {
      const known = queryClient.getQueryData<readonly Sample[]>(['activity']) ?? [];
      const newest = known.at(-1)?.at;
      const { samples } = await ask(
        api.GET('/v1/admin/activity', { params: { query: newest === undefined ? {} : { after: newest } } }),
      );
      const all = [...known, ...samples];
      const from = Date.parse(all.at(-1)?.at ?? '') - HOUR_MS;
      return all.filter(({ at }) => Date.parse(at) >= from);
    },
    refetchInterval: EVERY_MS,
  });
};

const seconds = (value: number): string =>
  value >= 7_200
    ? `${Math.round(value / 3_600)} h`
    : value >= 120
      ? `${Math.round(value / 60)} min`
      : `${round(value)} s`;
const round = (value: number): string =>
  value.toLocaleString(undefined, { maximumFractionDigits: value !== 0 && value < 10 ? 1 : 0 });

/** Rates, lags and waiting work of the whole installation over the last hour. */
export const Activity = () => {
  const t = useT();
  const activity = useActivity();
  return (
    <Panel title={t('lastHour')}>
      <Asked query={activity}>
        {(samples) => (samples.length === 0 ? <Text size="sm">{t('noSamples')}</Text> : <Charts samples={samples} />)}
      </Asked>
    </Panel>
  );
};

const Charts = ({ samples }: { readonly samples: readonly Sample[] }) => {
  const t = useT();
  const rows: (Sample | null)[] = [];
  const times: number[] = [];
  for (const sample of samples) {
    const at = Date.parse(sample.at);
    const before = times.at(-1);
    if (before !== undefined && at - before * 1_000 > GAP_MS) {
      times.push(before + 1);
      rows.push(null);
    }
    times.push(at / 1_000);
    rows.push(sample);
  }
  const line = (label: string, valueOf: (sample: Sample) => number | null) => ({
    label,
    values: rows.map((sample) => (sample === null ? null : valueOf(sample))),
  });
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Chart
        title={t('appendedPerSecond')}
        times={times}
        format={round}
        lines={[line(t('events'), ({ appendedPerSecond }) => appendedPerSecond)]}
      />
      <Chart
        title={t('lag')}
        times={times}
        format={seconds}
        lines={[
          line(t('lagRelay'), ({ lag }) => lag.relay.seconds),
          line(t('lagDispatcher'), ({ lag }) => lag.dispatcher.seconds),
          line(t('lagTurnIndex'), ({ lag }) => lag.turnIndex.seconds),
          line(t('lagSessionIndex'), ({ lag }) => lag.sessionIndex.seconds),
        ]}
      />
      <Chart
        title={t('oldestDue')}
        times={times}
        format={seconds}
        lines={[
          line(t('dueExtraction'), ({ oldestDue }) => oldestDue.extraction),
          line(t('dueDelivery'), ({ oldestDue }) => oldestDue.delivery),
          line(t('dueCall'), ({ oldestDue }) => oldestDue.call),
        ]}
      />
      <Chart
        title={t('webhooksAndParked')}
        times={times}
        format={round}
        lines={[
          line(t('attemptsDelivered'), ({ webhookAttempts }) => webhookAttempts.delivered),
          line(t('attemptsFailed'), ({ webhookAttempts }) => webhookAttempts.failed),
          line(t('parkedWork'), ({ parked }) => parked),
        ]}
      />
    </SimpleGrid>
  );
};
