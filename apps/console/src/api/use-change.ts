import { useQueryClient } from '@tanstack/react-query';
import { ask, type Answer } from './client';

/** Sends a change, and then reads again what is kept under this key. */
export const useChange = (...queryKey: readonly string[]) => {
  const queryClient = useQueryClient();
  return async <T>(answering: Promise<Answer<T>>): Promise<NonNullable<T>> => {
    const answer = await ask(answering);
    await queryClient.invalidateQueries({ queryKey });
    return answer;
  };
};
