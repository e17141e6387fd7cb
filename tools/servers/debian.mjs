import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { run } from '../shared/command.mjs';
import { findProgram } from '../shared/programs.mjs';

/** Debian starts a package's service after installing it unless this file exits with 101. */
const POLICY = '/usr/sbin/policy-rc.d';
const ENVIRONMENT = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };

export const canInstall = () =>
  process.getuid?.() === 0 && existsSync('/etc/debian_version') && findProgram(['apt-get']) !== undefined;

/**
 * Installs the first available package, without starting its service.
 *
 * @param {readonly string[]} packages best first
 * @param {(text: string) => void} note
 * @returns {Promise<boolean>}
 */
export const installDebianPackage = async (packages, note) => {
  const apt = (args) => run('apt-get', [...args, '-y', '-q'], { env: ENVIRONMENT, onLine: note });
  return withoutServices(async () => {
    const installed = async () => {
      for (const name of packages) {
        note(`apt-get install ${name}`);
        if ((await apt(['install', '--no-install-recommends', name])).code === 0) return true;
      }
      return false;
    };
    if (await installed()) return true;
    note('apt-get update');
    return (await apt(['update'])).code === 0 && (await installed());
  });
};

/** An existing policy is the administrator's and is kept. */
const withoutServices = async (work) => {
  const ours = !existsSync(POLICY);
  if (ours) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return await work();
  } finally {
    if (ours) rmSync(POLICY, { force: true });
  }
};
