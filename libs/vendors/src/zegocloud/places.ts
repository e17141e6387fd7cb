import type { Connector } from '@turnkeeper/application';
import { placeId, type CallPlace } from '@turnkeeper/domain';

/** Templates that build actor and session ids from ZEGOCLOUD's values. An instance mapped manually takes precedence. */
export interface ZegoPlaces {
  readonly actorTemplate: string;
  readonly sessionTemplate: string;
}

export const ZEGO_PLACE_VARIABLES = ['AgentInstanceId', 'UserId', 'RoomId'] as const;
export type ZegoPlaceVariable = (typeof ZEGO_PLACE_VARIABLES)[number];

/** Returns null until every value used by the templates is known. */
export const zegoPlace = (
  places: ZegoPlaces,
  known: Readonly<Record<ZegoPlaceVariable, string | null>>,
): CallPlace | null => {
  const fill = (template: string): string | null => {
    let isComplete = true;
    const text = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = known[name as ZegoPlaceVariable] ?? null;
      if (value === null) isComplete = false;
      return value ?? '';
    });
    return isComplete ? placeId(text) : null;
  };
  const [actorId, sessionId] = [fill(places.actorTemplate), fill(places.sessionTemplate)];
  return actorId === null || sessionId === null ? null : { actorId, sessionId };
};

/** The templates of a connector. */
export const zegoPlacesOf = ({ places }: Pick<Connector, 'places'>): ZegoPlaces => ({
  actorTemplate: places['actorTemplate'] ?? '',
  sessionTemplate: places['sessionTemplate'] ?? '',
});
