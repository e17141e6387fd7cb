import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { parse } from 'yaml';

/** A commit, followed by a comment with its version. */
const PINNED = /^\s*(?:- )?uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

/**
 * Checks a workflow of GitHub Actions without running it: GitHub's own parser for syntax, keys, expressions and the order
 * of jobs, and our rules for what a release may do.
 *
 * @param {string} content
 * @returns {Promise<string[]>} what is wrong with it
 */
export const faultsOf = async (content) => {
  const parsed = parseWorkflow({ name: 'workflow', content }, new NoOperationTraceWriter());
  const faults = parsed.context.errors.getErrors().map(({ message }) => message);
  if (faults.length > 0 || parsed.value === undefined) return faults;
  const { errors = [] } = await convertWorkflowTemplate(parsed.context, parsed.value);
  return [...errors.map(({ Message }) => Message), ...ruleFaults(content)];
};

const ruleFaults = (content) => {
  const { permissions, jobs } = parse(content);
  const unpinned = content.split('\n').filter((line) => /^\s*(?:- )?uses:/.test(line) && !PINNED.test(line));
  const faults = unpinned.map((line) => `not pinned to a commit: ${line.trim()}`);
  if (permissions === undefined || Object.keys(permissions).length > 0) faults.push('permissions are not set per job');
  for (const [name, job] of Object.entries(jobs)) {
    if (typeof job.permissions !== 'object') faults.push(`${name}: no permissions`);
    if (job['timeout-minutes'] === undefined) faults.push(`${name}: no timeout`);
    for (const step of job.steps) faults.push(...stepFaults(step).map((fault) => `${name}: ${fault}`));
  }
  return faults;
};

const stepFaults = ({ uses = '', run = '', with: inputs = {} }) => [
  // A value in a script is executed as part of it; in a variable it is data.
  ...(run.includes('${{') ? ['an expression inside a script'] : []),
  ...(uses.startsWith('actions/checkout@') && inputs['persist-credentials'] !== false
    ? ['the checkout leaves its token behind']
    : []),
  ...(uses.startsWith('actions/setup-node@') && inputs['package-manager-cache'] !== false
    ? ['packages come from a cache']
    : []),
];
