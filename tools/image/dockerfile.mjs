/**
 * Reads a Dockerfile as far as ours goes. An instruction that this does not know is an error, so that what is rehearsed
 * and checked is all there is.
 *
 * @typedef {{ name: string, from: string, instructions: Array<{ verb: string, text: string }> }} Stage
 */

const KNOWN = new Set(['COPY', 'RUN', 'WORKDIR', 'ENV', 'USER', 'EXPOSE', 'HEALTHCHECK', 'CMD', 'ENTRYPOINT']);

/**
 * @param {string} text
 * @returns {Stage[]}
 */
export const parseDockerfile = (text) => {
  const stages = [];
  for (const line of logicalLines(text)) {
    const [, verb, rest] = /^([A-Z]+)\s+(\S.*)$/.exec(line) ?? [];
    if (verb === 'FROM') {
      const [, from, name] = /^(\S+) AS (\S+)$/.exec(rest);
      stages.push({ name, from, instructions: [] });
    } else if (KNOWN.has(verb)) {
      stages.at(-1).instructions.push({ verb, text: rest });
    } else {
      throw new Error(`Not understood: ${line}`);
    }
  }
  return stages;
};

/** Without comments and empty lines; a backslash at the end joins the next line. */
const logicalLines = (text) =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** A stage's instructions, after those of the stages it builds on. */
export const allInstructions = (stages, name) => {
  const stage = stages.find((candidate) => candidate.name === name);
  return stage ? [...allInstructions(stages, stage.from), ...stage.instructions] : [];
};

/** The words that a stage's container starts with, as CMD or ENTRYPOINT give them in JSON. */
export const commandOf = (stages, name) => {
  const last = allInstructions(stages, name).findLast(({ verb }) => verb === 'CMD' || verb === 'ENTRYPOINT');
  return JSON.parse(last.text);
};
