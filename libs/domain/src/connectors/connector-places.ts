import type { Json } from '../session/session-events.js';

/** Whom a call is remembered for, and in which thread. */
export interface CallPlace {
  readonly actorId: string;
  readonly sessionId: string;
}

/** In which labels of an agent Agora's customers tell us whom it talks to. */
export interface AgoraPlaces {
  readonly actorLabel: string;
  /** Where it is missing, the channel is the session. */
  readonly sessionLabel: string;
}

/** How actor and session are named after what ZEGOCLOUD tells; an instance that was mapped by hand comes first. */
export interface ZegoPlaces {
  readonly actorTemplate: string;
  readonly sessionTemplate: string;
}

export const ZEGO_PLACE_VARIABLES = ['AgentInstanceId', 'UserId', 'RoomId'] as const;
export type ZegoPlaceVariable = (typeof ZEGO_PLACE_VARIABLES)[number];

/** Longest id of an actor or session, in characters. */
const MAX_ID = 255;

const idOf = (value: Json | undefined): string | null => {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value);
  // Two ids that differ in half of a surrogate pair only would be one to the database.
  return text === '' || text.length > MAX_ID || !text.isWellFormed() ? null : text;
};

/** Null when the labels do not say who it is. */
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

/** Null while something that the templates name is not known. */
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

/** Whether a template names nothing but what ZEGOCLOUD tells. */
export const isZegoTemplate = (template: string): boolean =>
  [...template.matchAll(/\{([^{}]*)\}/g)].every(([, name]) =>
    (ZEGO_PLACE_VARIABLES as readonly string[]).includes(name ?? ''),
  );
