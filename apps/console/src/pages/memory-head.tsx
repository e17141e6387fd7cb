import { Anchor, Breadcrumbs, Tabs } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useGet } from '../api/use-get';
import { useT } from '../text/text';
import { StoredText } from '../ui/stored-text';
import { PageHead } from '../ui/parts';

export const useMemory = (memoryId: string) =>
  useGet(['memory', memoryId], '/memory/memories/{memoryId}', { path: { memoryId } });

export const useStrategies = (memoryId: string) =>
  useGet(['memory', memoryId, 'strategies'], '/memory/memories/{memoryId}/long-term-memory-strategies', {
    path: { memoryId },
  });

const SECTIONS = ['details', 'actors', 'records', 'search'] as const;
type Section = (typeof SECTIONS)[number];

interface MemoryHeadProps {
  readonly memoryId: string;
  readonly section: Section;
  /** Pages below the section, each with its address. */
  readonly trail?: readonly { readonly label: string; readonly to: string }[];
  readonly title?: ReactNode;
  readonly about?: ReactNode;
  readonly children?: ReactNode;
}

/** The name of the memory, its sections, and the way back. */
export const MemoryHead = ({ memoryId, section, trail = [], title, about, children }: MemoryHeadProps) => {
  const t = useT();
  const navigate = useNavigate();
  const memory = useMemory(memoryId);
  // Nothing is shown until the name is known, rather than an id that the name would replace.
  const name = memory.isPending ? '\u00a0' : memory.data?.name || memoryId;
  const base = `/memories/${memoryId}`;
  const crumbs = [{ label: t('memories'), to: '/memories' }, { label: name, to: base }, ...trail];
  return (
    <>
      <Breadcrumbs
        mb="xs"
        component="nav"
        aria-label={t('path')}
        style={{ flexWrap: 'wrap', rowGap: 4 }}
        styles={{ breadcrumb: { lineHeight: 1.55 } }}
      >
        {crumbs.map(({ label, to }) => (
          <Anchor key={to} component={Link} to={to} size="sm" maw={280}>
            <StoredText inline text={label} />
          </Anchor>
        ))}
      </Breadcrumbs>
      <PageHead title={title ?? <StoredText inline text={name} />} about={about}>
        {children}
      </PageHead>
      <Tabs
        value={section}
        mb="md"
        onChange={(next) => void navigate({ to: (next === 'details' ? base : `${base}/${next}`) as never })}
      >
        <Tabs.List>
          {SECTIONS.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(each)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {SECTIONS.map((each) => (
          // The tabs are links to pages; the panel satisfies the tab's reference.
          <Tabs.Panel key={each} value={each}>
            {null}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
};
