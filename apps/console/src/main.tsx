import '@mantine/core/styles.css';
import { createTheme, MantineProvider, type CSSVariablesResolver } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { problemOf } from './api/problem';
import { router } from './app/router';
import { noteFailure, SessionProvider } from './app/session';
import { TextProvider } from './text/text';

const nonce = document.querySelector<HTMLElement>('meta[property=csp-nonce]')?.nonce ?? '';
setNonce(nonce);

const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteFailure }),
  mutationCache: new MutationCache({ onError: noteFailure }),
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      refetchOnWindowFocus: true,
      // A retry does not change a rejection by the API.
      retry: (failures, error) => failures < 2 && (problemOf(error)?.status ?? 500) >= 500,
    },
  },
});

const theme = createTheme({
  respectReducedMotion: true,
  primaryColor: 'cyan',
  // Contrast of at least 4.5 : 1 on both backgrounds.
  primaryShade: 9,
  components: {
    // A header inside a dialog is not a banner of the page.
    Modal: { defaultProps: { attributes: { header: { role: 'presentation' } } } },
  },
  defaultRadius: 'md',
});

/** A hover lighter than the button would have too little contrast with its white text. */
const HOVER = { '--mantine-color-cyan-filled-hover': '#095c6b' };

/** Mantine's own greys and reds have less contrast than 4.5 : 1. */
const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...HOVER,
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
  },
  dark: {
    ...HOVER,
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
});

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <TextProvider>
          <SessionProvider>
            <RouterProvider router={router} />
          </SessionProvider>
        </TextProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
}
