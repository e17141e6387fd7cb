/**
 * Parses the Dockerfile instructions that we use. An unknown instruction is an error, so that rehearsal and checks miss
 * nothing.
 *
 * @typedef {{ name: string, from: string, instructions: Array<{ verb: string, text: string }> }} Stage
 */

const KNOWN = new Set(['COPY', 'RUN', 'WORKDIR', 'ENV', 'USER', 'EXPOSE', 'HEALTHCHECK', 'CMD', 'ENTRYPOINT', 'LABEL']);

/**
 * @param {string} text
 * @returns {Stage[]}
 */
export const parseDockerfile = (text) => {
  const stages = [];
  for (const line of logicalLines(text)) {
    const [, verb, rest] = /^([A-Z]+)\s+(\S.*)$/.exec(line) ?? [];
    if (verb === 'FROM') {
      const [, from, name] = /^(\S+) AS (\S+)$/.exec(rest) ?? notUnderstood(line);
      stages.push({ name, from, instructions: [] });
    } else if (KNOWN.has(verb)) {
      stages.at(-1).instructions.push({ verb, text: rest });
    } else {
      notUnderstood(line);
    }
  }
  return stages;
};

/** @returns {never} */
const notUnderstood = (line) => {
  throw new Error(`Not understood: ${line}`);
};

/** Removes comments and empty lines; a trailing backslash joins the next line. */
const logicalLines = (text) =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** A stage's instructions, preceded by those of its base stages. */
export const allInstructions = (stages, name) => {
  const stage = stages.find((candidate) => candidate.name === name);
  return stage ? [...allInstructions(stages, stage.from), ...stage.instructions] : [];
};

/** The command of a stage's container, from CMD or ENTRYPOINT in JSON form. */
export const commandOf = (stages, name) => {
  const last = allInstructions(stages, name).findLast(({ verb }) => verb === 'CMD' || verb === 'ENTRYPOINT');
  return JSON.parse(last.text);
};
