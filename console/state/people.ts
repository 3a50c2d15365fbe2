import { computed, signal } from '@preact/signals';
import { call, getAgain, getAll } from '../api/request.js';
import type { Break, Colleague, PauseReason, Presence, Session } from '../api/types.js';
import { Readings } from '../lib/readings.js';
import { strings } from '../locales/strings.js';
import { notify } from './notices.js';
import { changeMe, me, session } from './session.js';

/** The enabled agents of the organization, with this one. */
export const people = signal<readonly Colleague[]>([]);
export const colleagues = computed(() => people.value.filter(({ id }) => id !== session.value?.agent.id));

const readings = new Readings();
const readingsOfMe = new Readings();

/** @throws RequestError */
export async function readPeople(): Promise<void> {
  await readings.read(
    () => getAll<Colleague>('/agents', 'agents'),
    (read) => {
      if (!session.value) return;
      people.value = read;
      const own = read.find(({ id }) => id === me().id);
      if (own) changeMe({ presence: own.presence, pauseReason: own.pauseReason });
    },
  );
}

/** Reads the agent's role, groups, and presence, which may have changed without an event. @throws RequestError */
export async function readMe(): Promise<void> {
  await readingsOfMe.read(
    () => getAgain<Session>('/session'),
    ({ agent }) => {
      if (!session.value) return;
      // Someone else signed in with this browser: none of this data is theirs.
      if (agent.id === me().id) {
        if (agent.role !== me().role) notify(strings.value.roleNow[agent.role]);
        changeMe(agent);
      } else location.reload();
    },
  );
}

interface PresenceEvent {
  agentId: string;
  presence: Presence;
  isAccepting: boolean;
  reason: PauseReason | null;
}

export function onPresence(event: PresenceEvent): void {
  const { agentId, presence, isAccepting, reason } = event;
  readings.note(() => onPresence(event));
  readingsOfMe.note(() => onPresence(event));
  people.value = people.value.map((one) => (one.id === agentId ? { ...one, presence, pauseReason: reason } : one));
  if (agentId === session.value?.agent.id) changeMe({ presence, isAccepting, pauseReason: reason });
}

/** Sets whether routing gives this agent chats. @param reason why not @throws RequestError */
export async function setAccepting(isAccepting: boolean, reason?: Break): Promise<void> {
  const answer = await call<Omit<PresenceEvent, 'agentId'>>('PUT', '/presence', { isAccepting, reason });
  const { presence, reason: pauseReason } = answer;
  changeMe({ isAccepting: answer.isAccepting, presence, pauseReason });
}
