// Preloaded into a process: declares the reach of routes wrongly, so that the matrix can prove that it finds such a
// declaration. DECLARED_WRONGLY is a JSON object of route ids and kinds of user data.
import { OWN_USER_DATA } from '@turnkeeper/contracts';
import { apiRoute } from '@turnkeeper/vendors';

for (const [id, kind] of Object.entries(JSON.parse(process.env['DECLARED_WRONGLY'] ?? '{}'))) {
  if (id in OWN_USER_DATA) Object.assign(OWN_USER_DATA, { [id]: kind });
  else Object.assign(apiRoute(id) ?? {}, { userData: kind });
}
