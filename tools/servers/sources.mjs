/**
 * Where a server comes from.
 *
 * given:   the environment names one: it is used as it is, and never started or stopped
 * private: a program on this machine, run by us on a loopback port
 * debian:  the same program, installed first from Debian's packages
 * compose: a container, where an engine answers
 *
 * @typedef {'given' | 'private' | 'debian' | 'compose'} SourceName
 */

/**
 * Tries the sources in order and returns the first result. Later ones are not tried: detecting an engine is slow, and
 * installing a package changes the machine.
 *
 * @template T
 * @param {ReadonlyArray<readonly [SourceName, () => T | undefined | Promise<T | undefined>]>} sources
 * @returns {Promise<{ source: SourceName, value: T } | undefined>}
 */
export const firstSource = async (sources) => {
  for (const [source, ask] of sources) {
    const value = await ask();
    if (value !== undefined) return { source, value };
  }
  return undefined;
};
