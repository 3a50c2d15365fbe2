import { signal } from '@preact/signals';
import { call, forgetAhead, get, post, watchUnauthorized } from '../api/request.js';
import type { EndReason, Me, OwnSession, Session } from '../api/types.js';

/** Who is signed in: undefined until it is known, null for no one. */
export const session = signal<Session | null | undefined>(undefined);
/** Why the session before ended, as far as it did not end by a click in this page. */
export const endReason = signal<EndReason | null>(null);

/** The agent of the session. Only what is shown to a signed-in agent may ask. */
export function me(): Me {
  return session.value!.agent;
}

/** Whether the agent may do what only supervisors and administrators may. */
export function isSupervisor(): boolean {
  return me().role !== 'AGENT';
}

/** Whether the agent may use the administration. */
export function isAdmin(): boolean {
  return me().role === 'ADMIN';
}

/** Reads who is signed in. @throws RequestError when the service cannot be reached */
export async function loadSession(): Promise<void> {
  try {
    begin(await get<Session>('/session'));
  } catch (error) {
    if ((error as { status?: number }).status !== 401) throw error;
    forgetAhead();
    session.value = null;
  }
}

/** @throws Refusal unauthorized, rate_limited, organization_required */
export async function signIn(email: string, password: string, organizationId?: string): Promise<void> {
  begin(await post<Session>('/session', { email, password, organizationId }));
}

/** Signs in by a link. @throws Refusal unauthorized, validation_failed for a password that breaks the rule */
export async function redeemLink(token: string, password?: string): Promise<void> {
  begin(await post<Session>('/session/link', { token, password }));
}

/** Ends this session. @throws RequestError */
export async function signOut(): Promise<void> {
  await call('DELETE', '/session');
  session.value = null;
}

/** Notes that the service ended the session. */
export function onSessionEnded(reason: EndReason): void {
  if (!session.value) return;
  endReason.value = reason;
  session.value = null;
}

/** Notes what has changed about the agent. */
export function changeMe(change: Partial<Me>): void {
  const { value } = session;
  if (value) session.value = { ...value, agent: { ...value.agent, ...change } };
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
  endReason.value = null;
  session.value = begun;
}

watchUnauthorized(() => onSessionEnded('EXPIRED'));
