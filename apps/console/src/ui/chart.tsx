import 'uplot/dist/uPlot.min.css';
import { Group, Text, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import Uplot from 'uplot';
import { useTexts } from '../text/text';
import classes from './ui.module.css';

interface Line {
  readonly label: string;
  /** One value per time; null leaves a gap. */
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  readonly title: string;
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  /** A value as text, for the axis and the legend. */
  readonly format: (value: number) => string;
}

const HEIGHT = 140;
const HOUR = 3_600;
/** Distinguishable from each other and from the background in both schemes, also without colour vision. */
const COLORS = {
  light: ['#0b7285', '#d9480f', '#5f3dc4', '#2b8a3e'],
  dark: ['#3bc9db', '#ffa94d', '#b197fc', '#69db7c'],
} as const;

/**
 * Lines over the last hour. The legend below has the newest values as text, so that nothing is said by the picture alone.
 */
export const Chart = ({ title, times, lines, format }: ChartProps) => {
  const { language } = useTexts();
  const scheme = useComputedColorScheme('light');
  const { ref, width } = useElementSize();
  const canvas = useRef<HTMLDivElement>(null);
  const plot = useRef<Uplot | null>(null);
  const shape = JSON.stringify([title, lines.map(({ label }) => label), width, scheme, language]);
  const data = [times, ...lines.map(({ values }) => values)] as unknown as Uplot.AlignedData;
  const newest = useRef(data);
  newest.current = data;
  useEffect(() => {
    const host = canvas.current;
    if (host === null || width === 0) return;
    const ink = scheme === 'dark' ? '#c9c9c9' : '#495057';
    const grid = { stroke: scheme === 'dark' ? '#424242' : '#e9ecef', width: 1 };
    const clock = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' });
    const made = new Uplot(
      {
        width,
        height: HEIGHT,
        padding: [8, 24, 0, 0],
        legend: { show: false },
        cursor: { y: false },
        scales: {
          x: { range: (_, __, to) => [to - HOUR, to] },
          y: { range: (_, __, to) => [0, Math.max(1, to * 1.1)] },
        },
        axes: [
          {
            stroke: ink,
            grid,
            ticks: grid,
            font: '11px system-ui',
            size: 28,
            space: 72,
            values: (_, splits) => splits.map((at) => clock.format(at * 1_000)),
          },
          {
            stroke: ink,
            grid,
            ticks: grid,
            font: '11px system-ui',
            size: 56,
            values: (_, splits) => splits.map((value) => format(value)),
          },
        ],
        series: [
          {},
          ...lines.map(({ label }, index) => ({
            label,
            stroke: COLORS[scheme][index % COLORS[scheme].length] ?? ink,
            width: 1.5,
            points: { show: false },
          })),
        ],
      },
      newest.current,
      host,
    );
    plot.current = made;
    return () => {
      plot.current = null;
      made.destroy();
    };
    // `shape` holds everything that needs a new plot; new values only need `setData`.
  }, [shape]);
  const last = times.at(-1);
  useEffect(() => plot.current?.setData(newest.current), [last, times.length]);
  return (
    <figure className={classes.chart} aria-label={title}>
      <Text component="figcaption" size="sm" fw={600} mb={4}>
        {title}
      </Text>
      <div ref={ref} style={{ height: HEIGHT }} aria-hidden="true">
        <div ref={canvas} />
      </div>
      <Group gap="2px 16px" mt={4} component="ul" className={classes.legend}>
        {lines.map(({ label, values }, index) => (
          <Text key={label} size="xs" component="li">
            <span
              className={classes.swatch}
              style={{ background: COLORS[scheme][index % COLORS[scheme].length] }}
              aria-hidden="true"
            />
            {label} <b>{format(values.at(-1) ?? 0)}</b>
          </Text>
        ))}
      </Group>
    </figure>
  );
};
