import type { Key } from '../text/en';
import { useSession } from './session';

interface Place {
  readonly to: string;
  readonly text: Key;
  /** Any of these is enough to see the page. */
  readonly scopes: readonly string[];
}

const PLACES: readonly Place[] = [
  { to: '/', text: 'overview', scopes: [] },
  { to: '/memories', text: 'memories', scopes: ['memory:read'] },
  { to: '/agents', text: 'agents', scopes: ['agents:read'] },
  { to: '/webhooks', text: 'webhooks', scopes: ['webhooks:admin'] },
  { to: '/operations', text: 'operations', scopes: ['admin', 'audit:read', 'vendors:admin', 'memory:read'] },
];

export const usePlaces = (): readonly Place[] => {
  const { can } = useSession();
  return PLACES.filter(({ scopes }) => scopes.length === 0 || scopes.some(can));
};
