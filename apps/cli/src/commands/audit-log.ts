import { auditLog } from '@turnkeeper/postgres';

/** Exit code of an audit that found a problem. */
const FOUND = 3;

/**
 * Verifies that the log has no gaps or duplicates, and prints the result. Reads the whole log, so do not run it often.
 */
export const auditLogCommand = async (databaseUrl: string, args: readonly string[]): Promise<void> => {
  const audit = await auditLog(databaseUrl);
  process.stdout.write(args.includes('--json') ? `${JSON.stringify(audit)}\n` : report(audit));
  if (audit.findings.length > 0) process.exitCode = FOUND;
};

const report = ({ head, events, tombstones, sessions, findings }: Awaited<ReturnType<typeof auditLog>>): string =>
  [
    `Head ${head}, ${events} events, ${tombstones} tombstones, ${sessions} sessions.`,
    ...findings.map(
      ({ rule, sessionKey, count }) => `${rule}: ${count}${sessionKey === null ? '' : ` in session ${sessionKey}`}`,
    ),
    findings.length === 0 ? 'Sound: positions and sequences are dense.' : 'NOT SOUND.',
    '',
  ].join('\n');
