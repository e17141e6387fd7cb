import type { Connector } from '@turnkeeper/application';
import { placeId, type CallPlace, type Json } from '@turnkeeper/domain';

/** Which agent labels hold the actor and session of a call. */
export interface AgoraPlaces {
  readonly actorLabel: string;
  /** If the label is missing, the channel is used as the session. */
  readonly sessionLabel: string;
}

/** Returns null if the labels do not name the actor. */
export const agoraPlace = (
  places: AgoraPlaces,
  call: {
    readonly agentId: string;
    readonly channel?: string | undefined;
    readonly labels?: { readonly [key: string]: Json } | undefined;
  },
): CallPlace | null => {
  const actorId = placeId(call.labels?.[places.actorLabel]);
  if (actorId === null) return null;
  const sessionId = placeId(call.labels?.[places.sessionLabel]) ?? placeId(call.channel) ?? call.agentId;
  return { actorId, sessionId };
};

/** The labels of a connector. */
export const agoraPlacesOf = ({ places }: Pick<Connector, 'places'>): AgoraPlaces => ({
  actorLabel: places['actorLabel'] ?? '',
  sessionLabel: places['sessionLabel'] ?? '',
});
