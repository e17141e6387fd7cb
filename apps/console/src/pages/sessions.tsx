export { Actors, Sessions } from './sessions/lists';
export { Transcript } from './sessions/transcript';
