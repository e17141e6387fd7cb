import { Modal, NavLink, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useGet } from '../api/use-get';
import { useT } from '../text/text';
import { useSession } from './session';
import { usePlaces } from './places';

interface PaletteProps {
  readonly opened: boolean;
  readonly open: () => void;
  readonly onClose: () => void;
}

/** Pages and memories by name. The first hit opens on Enter. */
export const Palette = ({ opened, open, onClose }: PaletteProps) => {
  const t = useT();
  const { can } = useSession();
  const places = usePlaces();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  useHotkeys([['mod+K', open]], []);
  const memories = useGet(['memories', 'palette'], '/memory/memories', {
    query: { size: 100 },
    enabled: opened && can('memory:read'),
  });
  const targets = [
    ...places.map(({ to, text }) => ({ to, label: t(text) })),
    ...(memories.data?.listData ?? []).flatMap(({ id, name }) => [
      { to: `/memories/${id}`, label: name || id },
      { to: `/memories/${id}/records`, label: `${name || id}: ${t('records')}` },
      { to: `/memories/${id}/search`, label: `${name || id}: ${t('search')}` },
      { to: `/memories/${id}/actors`, label: `${name || id}: ${t('actors')}` },
    ]),
  ];
  const wanted = typed.trim().toLowerCase();
  const hits = targets.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, 50);
  const go = (to: string): void => {
    onClose();
    setTyped('');
    void navigate({ to: to as never });
  };
  return (
    <Modal opened={opened} onClose={onClose} title={t('goTo')} closeButtonProps={{ 'aria-label': t('close') }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (hits[0] !== undefined) go(hits[0].to);
        }}
      >
        <Stack gap="xs">
          <TextInput
            data-autofocus
            aria-label={t('goToAbout')}
            placeholder={t('goToAbout')}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <ScrollArea.Autosize mah={360}>
            {hits.map(({ to, label }) => (
              <NavLink key={to} component="button" type="button" label={label} onClick={() => go(to)} />
            ))}
            {hits.length === 0 && <Text size="sm">{t('nothingFound')}</Text>}
          </ScrollArea.Autosize>
        </Stack>
      </form>
    </Modal>
  );
};
