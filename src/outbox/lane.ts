/** What takes the events of a lane: the service sends those of a webhook, and a bot fetches those of its subscription. */
export type LaneKind = 'WEBHOOK' | 'SUBSCRIPTION';

/** A queue of the outbox. */
export interface Lane {
  organizationId: string;
  kind: LaneKind;
  /** The id of the webhook or the subscription. */
  id: string;
}

/** A lane in one text, as SQL writes it: `organizationId/id`. A key of maps, and a hint to other nodes. */
export type LaneKey = string;

/** A lane that is known by its id. */
export function laneOf(organizationId: string, id: string): Lane {
  return { organizationId, kind: id.startsWith('sub_') ? 'SUBSCRIPTION' : 'WEBHOOK', id };
}

export function laneKeyOf({ organizationId, id }: Pick<Lane, 'organizationId' | 'id'>): LaneKey {
  return `${organizationId}/${id}`;
}

/** Reads the key of a lane. */
export function parseLane(key: LaneKey): Lane {
  const slash = key.indexOf('/');
  return laneOf(key.slice(0, slash), key.slice(slash + 1));
}

/** Reads the lanes that the SQL of `LANES` returns, separated by spaces. */
export function parseLanes(keys: string): Lane[] {
  return keys.split(' ').map(parseLane);
}
