import type { Json } from '../session/session-events.js';

/** The actor and session that a call belongs to. */
export interface CallPlace {
  readonly actorId: string;
  readonly sessionId: string;
}

/** Which agent labels hold the actor and session of an Agora call. */
export interface AgoraPlaces {
  readonly actorLabel: string;
  /** If the label is missing, the channel is used as the session. */
  readonly sessionLabel: string;
}

/** Templates that build actor and session ids from ZEGOCLOUD's values. An instance mapped manually takes precedence. */
export interface ZegoPlaces {
  readonly actorTemplate: string;
  readonly sessionTemplate: string;
}

export const ZEGO_PLACE_VARIABLES = ['AgentInstanceId', 'UserId', 'RoomId'] as const;
export type ZegoPlaceVariable = (typeof ZEGO_PLACE_VARIABLES)[number];

/** Maximum length of an actor or session id, in characters. */
const MAX_ID = 255;

const idOf = (value: Json | undefined): string | null => {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value);
  // Two ids that differ only in a lone surrogate would be equal in the database; dots cannot be part of a URL.
  return text === '' || text === '.' || text === '..' || text.length > MAX_ID || !text.isWellFormed() ? null : text;
};

/** Returns null if the labels do not name the actor. */
export const agoraPlace = (
  places: AgoraPlaces,
  call: {
    readonly agentId: string;
    readonly channel?: string | undefined;
    readonly labels?: { readonly [key: string]: Json } | undefined;
  },
): CallPlace | null => {
  const actorId = idOf(call.labels?.[places.actorLabel]);
  if (actorId === null) return null;
  const sessionId = idOf(call.labels?.[places.sessionLabel]) ?? idOf(call.channel) ?? call.agentId;
  return { actorId, sessionId };
};

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
    return isComplete ? idOf(text) : null;
  };
  const [actorId, sessionId] = [fill(places.actorTemplate), fill(places.sessionTemplate)];
  return actorId === null || sessionId === null ? null : { actorId, sessionId };
};

/** Whether a template uses only variables that ZEGOCLOUD provides. */
export const isZegoTemplate = (template: string): boolean =>
  [...template.matchAll(/\{([^{}]*)\}/g)].every(([, name]) =>
    (ZEGO_PLACE_VARIABLES as readonly string[]).includes(name ?? ''),
  );
