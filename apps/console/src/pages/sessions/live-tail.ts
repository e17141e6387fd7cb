import { useEffect, useRef, useState } from 'react';
import { followStream } from '../../api/event-stream';
import type { SessionPath } from './use-turns';

/** After a stream ended or was refused; the page polls meanwhile. */
const RETRY_MS = 5_000;

/** Whether the tab is on the screen: browsers allow few connections to a server, and a hidden tab needs none. */
const useVisible = (): boolean => {
  const [isVisible, setVisible] = useState(document.visibilityState === 'visible');
  useEffect(() => {
    const look = (): void => setVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isVisible;
};

/**
 * Follows the session's events while `live` and visible.
 *
 * @param newest sequence of the newest event that the page has; undefined until it is known
 * @returns whether the stream is open; otherwise the page must poll
 */
export const useLiveTail = (
  { memoryId, actorId, sessionId }: SessionPath,
  live: boolean,
  newest: number | undefined,
  onEvents: () => void,
): boolean => {
  const [isOpen, setOpen] = useState(false);
  const isVisible = useVisible();
  const known = useRef(0);
  known.current = Math.max(known.current, newest ?? 0);
  const notify = useRef(onEvents);
  notify.current = onEvents;
  const isWanted = live && isVisible && newest !== undefined;
  const session = [actorId, 'sessions', sessionId].map(encodeURIComponent).join('/');
  const path = `/memory/memories/${memoryId}/actors/${session}/events/stream`;
  useEffect(() => {
    if (!isWanted) return;
    const closing = new AbortController();
    const { signal } = closing;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = async (): Promise<void> => {
      await followStream({
        path,
        signal,
        after: known.current,
        onOpen: () => setOpen(true),
        onEvents: (ids) => {
          known.current = Math.max(known.current, ...ids);
          notify.current();
        },
      }).catch(() => undefined);
      if (signal.aborted) return;
      setOpen(false);
      timer = setTimeout(() => void follow(), RETRY_MS);
    };
    void follow();
    return () => {
      clearTimeout(timer);
      closing.abort();
      setOpen(false);
    };
  }, [isWanted, path]);
  return isOpen;
};
