/** The newest failure of a dependency. */
export interface LastFailure {
  /** ISO 8601, by this process's clock. */
  readonly at: string;
  /** A stable code or the name of the error; never its message, which may hold content or credentials. */
  readonly reason: string;
}

/** The newest failure of each dependency since the process started, for operators. */
export class LastFailures {
  private readonly failures = new Map<string, LastFailure>();

  note(dependency: string, error: unknown): void {
    this.failures.set(dependency, { at: new Date().toISOString(), reason: reasonOf(error) });
  }

  of(dependency: string): LastFailure | null {
    return this.failures.get(dependency) ?? null;
  }

  all(): Readonly<Record<string, LastFailure>> {
    return Object.fromEntries(this.failures);
  }
}

const reasonOf = (error: unknown): string => {
  if (typeof error === 'string') return error;
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
};
