import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useEvery, useReading } from '../admin/parts/reading.js';
import { get, getAll } from '../api/request.js';
import type { TeamGroup, TeamMember } from '../api/types.js';
import { throttled } from '../lib/throttled.js';
import { allRows } from '../state/inbox/rows.js';
import { endSelecting } from '../state/inbox/selection.js';
import { showPlace } from '../state/inbox/views.js';
import { isSure, staleAt } from '../state/live.js';
import { people } from '../state/people.js';

/** The shortest time between two reads, however much changes. */
const READ_EVERY_MS = 5_000;
/** When it's read without any change. */
const CHECK_EVERY_MS = 60_000;

export interface TeamNow {
  agents: TeamMember[];
  groups: TeamGroup[];
}

/** @throws RequestError */
async function readTeam(): Promise<TeamNow> {
  const [agents, groups] = await Promise.all([getAll<TeamMember>('/team', 'agents'), get<TeamGroup[]>('/team/groups')]);
  return { agents, groups };
}

/** The team, read again when chats or people change. */
export function useTeam() {
  const reading = useReading(readTeam);
  const again = useRef(reading.again);
  again.current = reading.again;
  useEffect(() => {
    let isFirst = true;
    const soon = throttled(async () => again.current(), READ_EVERY_MS);
    // The service sends the rows of the list that is shown. It's shown when the inbox opens, unless another one is.
    if (showPlace({ view: 'OPEN' })) endSelecting();
    const end = effect(() => {
      void allRows();
      void people.value;
      void staleAt.value;
      void isSure.value;
      if (!isFirst) soon();
      isFirst = false;
    });
    return end;
  }, []);
  useEvery(CHECK_EVERY_MS, reading.again);
  return reading;
}
