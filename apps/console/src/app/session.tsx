import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { getJson, setCredential } from '../api/client';
import { problemOf } from '../api/problem';
import { finishOidc, type AuthConfig } from './oidc';

/** The signed-in key or token, and what it may do. */
export interface Caller {
  readonly tenantId: string;
  readonly keyId: string;
  /** Scopes of the routes that it may call. */
  readonly allows: readonly string[];
  readonly memoryId: string | null;
  readonly actorId: string | null;
}

interface SessionState {
  /** Null: not signed in. */
  readonly caller: Caller | null;
  readonly config: AuthConfig | null;
  /** A stored credential or a redirect is being checked. */
  readonly isStarting: boolean;
  /** Why the last sign-in failed or the session ended. */
  readonly error: unknown;
  /** @param keep also store the credential in this tab's session storage */
  readonly signIn: (credential: string, keep: boolean) => Promise<void>;
  readonly signOut: (why?: unknown) => void;
  readonly can: (scope: string) => boolean;
}

const STORED = 'turnkeeper.credential';
const SessionContext = createContext<SessionState | null>(null);

export const useSession = (): SessionState => {
  const session = use(SessionContext);
  if (session === null) throw new Error('useSession needs a SessionProvider.');
  return session;
};

export const SessionProvider = ({ children }: { readonly children: ReactNode }) => {
  const [caller, setCaller] = useState<Caller | null>(null);
  const [config, setConfig] = useState<AuthConfig | null>(null);
  const [isStarting, setStarting] = useState(true);
  const [error, setError] = useState<unknown>(null);

  const signIn = useCallback(async (credential: string, keep: boolean) => {
    setCredential(credential);
    try {
      const found = await getJson<Caller>('/v1/auth/caller');
      if (keep) sessionStorage.setItem(STORED, credential);
      setError(null);
      setCaller(found);
    } catch (failure) {
      setCredential(null);
      sessionStorage.removeItem(STORED);
      throw failure;
    }
  }, []);

  const signOut = useCallback((why: unknown = null) => {
    sessionStorage.removeItem(STORED);
    setCredential(null);
    setCaller(null);
    setError(why);
  }, []);

  useEffect(() => {
    const resume = async (): Promise<void> => {
      const found = await getJson<AuthConfig>('/v1/auth/config');
      setConfig(found);
      const redirected = found.oidc?.clientId ? await finishOidc(found.oidc) : null;
      if (redirected !== null) {
        window.history.replaceState(null, '', redirected.returnTo);
        await signIn(redirected.token, false);
        return;
      }
      const stored = sessionStorage.getItem(STORED);
      if (stored !== null) await signIn(stored, true);
    };
    resume()
      .catch(setError)
      .finally(() => setStarting(false));
  }, [signIn]);

  useEffect(() => {
    const onRefused = (event: Event): void => signOut((event as CustomEvent).detail);
    window.addEventListener('turnkeeper:refused', onRefused);
    return () => window.removeEventListener('turnkeeper:refused', onRefused);
  }, [signOut]);

  const state = useMemo<SessionState>(
    () => ({
      caller,
      config,
      isStarting,
      error,
      signIn,
      signOut,
      can: (scope) => caller?.allows.includes(scope) ?? false,
    }),
    [caller, config, isStarting, error, signIn, signOut],
  );
  return <SessionContext value={state}>{children}</SessionContext>;
};

/** Called on every failed request: an expired or revoked key ends the session. */
export const noteFailure = (error: unknown): void => {
  if (problemOf(error)?.status === 401) window.dispatchEvent(new CustomEvent('turnkeeper:refused', { detail: error }));
};
