// Preloaded into a process: declares the reach of routes wrongly, so that the matrix can prove that it finds such a
// declaration. DECLARED_WRONGLY is a JSON object of route ids and kinds of user data.
import { OWN_USER_DATA } from '@turnkeeper/contracts';

Object.assign(OWN_USER_DATA, JSON.parse(process.env['DECLARED_WRONGLY'] ?? '{}'));
