/**
 * How a receiver gets its events: the service sends them to a webhook, a bot polls for its subscription's events, and the service runs a
 * bot's turns for its connection's events.
 */
export type ReceiverKind = 'WEBHOOK' | 'SUBSCRIPTION' | 'CONNECTION';

const KINDS: Record<string, ReceiverKind> = { sub: 'SUBSCRIPTION', con: 'CONNECTION' };

/** A queue of the outbox. */
export interface Lane {
  organizationId: string;
  kind: ReceiverKind;
  /** The id of the receiver. */
  id: string;
}

/** A lane as text, as SQL writes it: `organizationId/id`. Used as a key of maps, and in hints to other nodes. */
export type LaneKey = string;

export function laneOf(organizationId: string, id: string): Lane {
  return { organizationId, kind: KINDS[id.slice(0, id.indexOf('_'))] ?? 'WEBHOOK', id };
}

export function laneKeyOf({ organizationId, id }: Pick<Lane, 'organizationId' | 'id'>): LaneKey {
  return `${organizationId}/${id}`;
}

export function parseLane(key: LaneKey): Lane {
  const slash = key.indexOf('/');
  return laneOf(key.slice(0, slash), key.slice(slash + 1));
}

/** Parses the lanes that a statement returns: keys separated by spaces. */
export function parseLanes(keys: string): Lane[] {
  return [...new Set(keys.split(' '))].map(parseLane);
}
