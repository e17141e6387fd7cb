import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** Clock ticks of /proc; 100 a second on every Linux that Node runs on. */
const MICROSECONDS_PER_TICK = 10_000;

/**
 * CPU time used so far by a process and the children it has now or has waited for, in microseconds; null where there
 * is no /proc.
 */
export const cpuTime = (pid) => {
  if (!existsSync('/proc/self/stat')) return null;
  let ticks = 0;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = readStat(entry);
    if (stat === null || (stat.pid !== pid && stat.parent !== pid)) continue;
    ticks += stat.own + (stat.pid === pid ? stat.children : 0);
  }
  return ticks * MICROSECONDS_PER_TICK;
};

const readStat = (pid) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name is in parentheses and can contain anything.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { pid: Number(pid), parent: fields[1], own: fields[11] + fields[12], children: fields[13] + fields[14] };
  } catch {
    return null; // ended meanwhile
  }
};
