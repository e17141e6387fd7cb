/** Polls until the condition holds. Fails with the last value on timeout. Timeout: 30 s, interval: 5 ms. */
export const eventually = async (
  condition: () => boolean | Promise<boolean>,
  {
    withinMs = 30_000,
    everyMs = 5,
    what = 'the condition',
  }: { withinMs?: number; everyMs?: number; what?: string | (() => string) } = {},
): Promise<void> => {
  const end = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > end) {
      throw new Error(`Not within ${withinMs} ms: ${typeof what === 'string' ? what : what()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
};
