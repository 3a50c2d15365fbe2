import { FORGOTTEN, isTransient, request, RequestError } from './request.js';
import type { Store } from './store.js';
import type { Identity, VisitorClientOptions } from './types.js';

/** A token that is valid for less than this is renewed, in milliseconds. */
const RENEW_BEFORE = 15 * 24 * 60 * 60 * 1000;

interface SessionAnswer {
  token: string;
  expiresAt: string;
  visitor: { id: string };
}

export interface Session {
  /** A token of the visitor, from storage when there is a good one. @throws RequestError */
  getToken(): Promise<string>;
  /** A token other than the one that was refused: another tab's, else that of a new visitor. @throws RequestError */
  replaceToken(refused: string): Promise<string>;
  /** Becomes whom the identity names. @throws RequestError */
  identify(identity: Identity): Promise<string>;
  /** Forgets whom the client was told of, and ends the token. */
  forget(): void;
}

/**
 * The visitor's session: made when it is needed, renewed, and one for all tabs.
 * @param onAnother called when an identity names another person than the one whose chat is in storage
 */
export function createSession(
  { url, widgetKey, ...options }: VisitorClientOptions,
  store: Store,
  onAnother: () => void,
): Session {
  const sessions = `${url}/api/visitor/sessions`;
  let { identity } = options;
  /** The anonymous visitor who began on this very page. */
  let own = '';
  /** Counts logouts: what was asked for before one comes too late. */
  let epoch = 0;

  // So that a copy of it is of no use; whoever cannot reach the service has forgotten it at least.
  const end = (token?: string) => void (token && request(sessions, token, undefined, 'DELETE').catch(() => undefined));

  async function begin(at: number, token: string | undefined, jwt: string | undefined): Promise<string> {
    const { visitorId } = store.read();
    // A token that was found in storage may be of whoever used the computer before: nothing of theirs comes along.
    const merge = !!jwt && visitorId === own;
    const body = { widgetKey, visitor: options.visitor, identity: jwt, merge };
    const ask = (bearer?: string) => request<SessionAnswer>(sessions, bearer, body);
    const answer = await ask(merge || !jwt ? token : undefined).catch((error: unknown) => {
      if (token && error instanceof RequestError && error.code === 'unauthorized') return ask();
      throw error;
    });
    if (at !== epoch) {
      end(answer.token);
      throw FORGOTTEN;
    }
    const { id } = answer.visitor;
    // What is remembered of a chat is another visitor's, unless an identity took it along.
    const isAnother = visitorId !== id && !merge;
    const sub = jwt ? subjectOf(jwt) : isAnother ? undefined : store.read().sub;
    store.write({ token: answer.token, expiresAt: answer.expiresAt, visitorId: id, sub });
    if (isAnother) {
      store.write({ chatId: undefined, latestSeq: undefined });
      if (!jwt) own = id;
      else if (visitorId) onAnother();
    }
    return answer.token;
  }

  return {
    async getToken() {
      const at = epoch;
      const jwt = await resolve(identity);
      return alone(widgetKey, async () => {
        const { token, expiresAt, sub } = store.read();
        const left = Date.parse(expiresAt ?? '') - Date.now();
        const isSame = !jwt || (sub !== undefined && sub === subjectOf(jwt));
        if (token && isSame && left > RENEW_BEFORE) return token;
        const usable = left > 0 ? token : undefined;
        try {
          return await begin(at, usable, isSame && usable ? undefined : jwt);
        } catch (error) {
          // What cannot be renewed just now is good for days still.
          if (usable && isSame && isTransient(error)) return usable;
          throw error;
        }
      });
    },
    async replaceToken(refused) {
      const at = epoch;
      const jwt = await resolve(identity);
      return alone(widgetKey, async () => {
        const { token } = store.read();
        if (token && token !== refused) return token;
        return begin(at, undefined, jwt);
      });
    },
    async identify(next) {
      identity = next;
      const at = epoch;
      const jwt = await resolve(next);
      return alone(widgetKey, () => begin(at, store.read().token, jwt));
    },
    forget() {
      const clear = async () => {
        end(store.read().token);
        store.clear();
        return '';
      };
      epoch++;
      identity = undefined;
      void clear();
      // Again when another tab is done, which may have asked before.
      void alone(widgetKey, clear);
    },
  };
}

// Never while other tabs wait: a site's function may take its time, or never answer.
async function resolve(identity: Identity | undefined): Promise<string | undefined> {
  return typeof identity === 'function' ? identity() : identity;
}

/** The `sub` of a JWT, read without checking it: the service does that. */
function subjectOf(jwt: string): string | undefined {
  try {
    const payload = (jwt.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    return (JSON.parse(new TextDecoder().decode(bytes)) as { sub?: string }).sub;
  } catch {
    return undefined;
  }
}

// Tabs that start together make one session. Where there are no locks (a page without https) the last one wins.
function alone(widgetKey: string, work: () => Promise<string>): Promise<string> {
  const locks = (globalThis.navigator as Navigator | undefined)?.locks as LockManager | undefined;
  return locks ? (locks.request(`parley:${widgetKey}`, work) as Promise<string>) : work();
}
