import { cpus } from 'node:os';
import { runAndStop } from '../tools/shared/run-and-stop.mjs';
import { step } from '../tools/shared/steps.mjs';
import { Installation } from './append/installation.mjs';

/**
 * Runs a bench on an installation of its own.
 *
 * @param {(installation: Installation) => Promise<void>} work
 * @param {ConstructorParameters<typeof Installation>[0]} [options]
 */
export const onInstallation = (work, options) => {
  const installation = new Installation(options);
  return runAndStop(installation, async () => {
    await installation.start();
    await work(installation);
  });
};

/**
 * Measures the sides in turns, so that background load affects all of them.
 *
 * @param {readonly string[]} sides
 * @param {number} rounds
 * @param {(side: string, round: number) => Promise<any>} measure
 * @param {(result: any) => string} describe
 * @returns {Promise<Record<string, any[]>>} by side, a result per round
 */
export const inTurns = async (sides, rounds, measure, describe) => {
  const results = Object.fromEntries(sides.map((side) => [side, /** @type {any[]} */ ([])]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const side of sides) {
      const result = await step(
        `round ${round}`,
        () => measure(side, round),
        (measured) => `${side}: ${describe(measured)}`,
      );
      results[side].push(result);
    }
  }
  return results;
};

/** What the figures were measured on. */
export const machine = () => `${cpus().length} cores (${cpus()[0].model.trim()}), Node ${process.version}`;

export const whole = (value) => Math.round(value).toLocaleString('en-US');
