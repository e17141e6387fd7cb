import { AppShell, Box, Burger, Button, Group, Kbd, NavLink, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useT } from '../text/text';
import { Id } from '../ui/parts';
import { Palette } from './palette';
import { usePlaces } from './places';
import { Preferences } from './preferences';
import { useSession } from './session';

/** Navigation around a page. */
export const Shell = () => {
  const t = useT();
  const { caller, signOut } = useSession();
  const places = usePlaces();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const [isMenuOpen, menu] = useDisclosure();
  const [isPaletteOpen, palette] = useDisclosure();
  const { close } = menu;
  useEffect(close, [path, close]);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isMenuOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isMenuOpen} onClick={menu.toggle} hiddenFrom="sm" size="sm" aria-label={t('menu')} />
            <Text fw={700} component={Link} to="/" c="inherit" td="none">
              Turnkeeper
            </Text>
          </Group>
          <Button variant="default" size="xs" onClick={palette.open} aria-haspopup="dialog">
            {t('goTo')}
            <Kbd size="xs" ml="xs" visibleFrom="sm">
              Ctrl K
            </Kbd>
          </Button>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('menu')}>
        <Stack gap={2} style={{ flex: 1 }}>
          {places.map(({ to, text }) => (
            <NavLink
              key={to}
              label={t(text)}
              active={to === '/' ? path === '/console' || path === '/' || path === '/console/' : path.includes(to)}
              renderRoot={(props) => <Link {...props} to={to} />}
            />
          ))}
        </Stack>
        <Stack gap="xs" p="xs">
          <Preferences />
          <Box>
            <Text size="xs" c="dimmed">
              {t('signedInAs')}
            </Text>
            <Id>{caller?.keyId ?? ''}</Id>
          </Box>
          <Button size="xs" variant="default" onClick={() => signOut()}>
            {t('signOut')}
          </Button>
        </Stack>
      </AppShell.Navbar>
      <AppShell.Main>
        <Box maw={1600} mx="auto">
          <Outlet />
        </Box>
      </AppShell.Main>
      <Palette opened={isPaletteOpen} open={palette.open} onClose={palette.close} />
    </AppShell>
  );
};
