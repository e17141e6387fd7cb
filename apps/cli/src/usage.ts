/** The command line could not be understood; exit code 2. */
export class UsageError extends Error {}

export const usage = `Usage: turnkeeper <command>

  migrate                                    Bring the database up to date
  key create --tenant NAME [--scopes a,b]    Make an API key; the tenant is made when it is new
             [--description TEXT] [--expires-in-days N] [--json]
  key list --tenant NAME [--json]            Show a tenant's keys
  key rotate --tenant NAME --key ID          Make a key in the place of another, which goes on for the overlap
             [--overlap-hours N] [--json]    Default 24 hours
  key revoke --tenant NAME --key ID          End a key now
  tenant limit --tenant NAME                 Set how many requests per second a tenant may make
             [--requests-per-second N]       Without a number: the installation's own limit
  rebuild [--check] [--json]                 Make every projection anew from the log; --check only compares
  log audit [--json]                         Prove that the log has no hole and no double

Every command reads DATABASE_URL.
`;
