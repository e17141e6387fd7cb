/** The command line could not be understood; exit code 2. */
export class UsageError extends Error {}

export const usage = `Usage: turnkeeper <command>

  migrate                                    Bring the database up to date
  key create --tenant NAME [--scopes a,b]    Make an API key; the tenant is made when it is new
             [--description TEXT] [--expires-in-days N] [--json]
  rebuild [--check] [--json]                 Make every projection anew from the log; --check only compares
  log audit [--json]                         Prove that the log has no hole and no double

Every command reads DATABASE_URL.
`;
