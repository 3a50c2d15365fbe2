import { computed, signal } from '@preact/signals';
import { call, forgetAhead, get, getAgain, post, watchUnauthorized } from '../api/request.js';
import { ownName } from '../lib/service.js';
import type { EndReason, LinkAgent, Me, OwnSession, Session } from '../api/types.js';

/** The signed-in agent's session: undefined until it's known, null for no one. */
export const session = signal<Session | null | undefined>(undefined);
/** Why the previous session ended, unless the agent signed out on this page. */
export const endReason = signal<EndReason | null>(null);
/** Whether the session has ended, and the page with its forms stays until the same agent signs in again. */
export const isLocked = computed(() => Boolean(session.value && endReason.value));

/** A page whose session was ended elsewhere is kept for this long: its agent may have meant to close it. */
const LOCKED_FOR_MS = 15 * 60_000;

/** On it, a tab says to the others that its agent signed in or out. */
const channel = new BroadcastChannel(ownName('session'));
channel.onmessage = ({ data }) => {
  if (data === 'out') session.value = null;
  else if (session.value) void renew();
};
let forgetting: ReturnType<typeof setTimeout>;

/** The signed-in agent. Call this only while someone is signed in. */
export function me(): Me {
  return session.value!.agent;
}

/** Whether the agent is a supervisor or an administrator. */
export function isSupervisor(): boolean {
  return me().role !== 'AGENT';
}

export function isAdmin(): boolean {
  return me().role === 'ADMIN';
}

/** Loads the session. @throws RequestError if the service can't be reached */
export async function loadSession(): Promise<void> {
  try {
    begin(await getAgain<Session>('/session'));
  } catch (error) {
    if ((error as { status?: number }).status !== 401) throw error;
    forgetAhead();
    session.value = null;
  }
}

/** @throws Refusal unauthorized, rate_limited, organization_required */
export function signIn(email: string, password: string, organizationId?: string): Promise<void> {
  return enter('/session', { email, password, organizationId });
}

/** Whom a link signs in. @throws Refusal unauthorized for a link that's unknown, used, or expired */
export function readLink(token: string): Promise<LinkAgent> {
  return post<LinkAgent>('/session/link/agent', { token });
}

/** Signs in by a link. @throws Refusal unauthorized, validation_failed for a password that breaks the rule */
export function redeemLink(token: string, password?: string): Promise<void> {
  return enter('/session/link', { token, password });
}

async function enter(path: string, body: object): Promise<void> {
  begin(await post<Session>(path, body));
  channel.postMessage('in');
}

/** @throws RequestError */
export async function signOut(): Promise<void> {
  await call('DELETE', '/session');
  channel.postMessage('out');
  session.value = null;
}

/** Handles that the service ended the session. */
export function onSessionEnded(reason: EndReason): void {
  if (!session.value || isLocked.value) return;
  endReason.value = reason;
  if (reason === 'DISABLED' || reason === 'DELETED') session.value = null;
  else if (reason !== 'EXPIRED') forgetting = setTimeout(() => (session.value = null), LOCKED_FOR_MS);
}

/** Continues if the agent has signed in again in another tab. If another agent did, requests are theirs now, and so is the page. */
async function renew(): Promise<void> {
  const renewed = await getAgain<Session>('/session').catch(() => null);
  if (renewed && session.value && (isLocked.value || renewed.agent.id !== me().id)) begin(renewed);
}

/** Updates the signed-in agent. */
export function changeMe(change: Partial<Me>): void {
  const { value } = session;
  if (value) session.value = { ...value, agent: { ...value.agent, ...change } };
}

/** On it, a tab says to the others that the agent's name or picture has changed. */
export const PROFILE_CHANNEL = ownName('profile');

/** Changes what agents set themselves. @throws Refusal validation_failed */
export async function updateProfile(profile: Partial<Pick<Me, 'name' | 'avatarUrl' | 'mailWhenAway'>>): Promise<void> {
  const { agent } = await call<Session>('PATCH', '/session', profile);
  changeMe({ name: agent.name, avatarUrl: agent.avatarUrl, mailWhenAway: agent.mailWhenAway });
  const channel = new BroadcastChannel(PROFILE_CHANNEL);
  channel.postMessage('changed');
  channel.close();
}

export async function listSessions(): Promise<OwnSession[]> {
  return (await get<{ sessions: OwnSession[] }>('/sessions')).sessions;
}

export function endSession(id: string): Promise<void> {
  return call('DELETE', `/sessions/${id}`);
}

/** @throws Refusal wrong_password, validation_failed */
export async function changePassword(password: string, current?: string): Promise<void> {
  await call('PUT', '/password', { password, current });
  changeMe({ hasPassword: true });
}

function begin(begun: Session): void {
  clearTimeout(forgetting);
  // Another agent must see nothing of this agent's page.
  if (session.value && session.value.agent.id !== begun.agent.id) session.value = null;
  endReason.value = null;
  session.value = begun;
}

watchUnauthorized(() => onSessionEnded('EXPIRED'));
