import { backoff } from '../../headless/backoff.js';
import { hasCode, isTransient, type RequestError } from '../../headless/errors.js';
import { FORGOTTEN, NO_SESSION, request } from './request.js';
import type { Store } from './store.js';
import type { Identity, VisitorClientOptions, VisitorProfile } from './types.js';

/** A token that is valid for less than this is renewed, in milliseconds. */
const RENEW_BEFORE_MS = 15 * 24 * 60 * 60 * 1000;
/** The site's function for the identity has this long, and another tab that holds the lock, in milliseconds. */
const IDENTITY_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 3_000;

interface SessionAnswer {
  token: string;
  visitor: { id: string };
}

/** What a request for a token may do, and what it knows. */
interface Turn {
  jwt: string | undefined;
  /** How many logouts there were when it began. */
  logouts: number;
  /** Whether an anonymous visitor may be created. */
  mayBegin: boolean;
}

/** The visitor's session: created when it is needed, renewed in time, and shared by all tabs. */
export class Session {
  readonly #options: VisitorClientOptions;
  readonly #store: Store;
  readonly #onOtherVisitor: (wasPerson: boolean) => void;
  readonly #url: string;
  #identity?: Identity;
  /** The page's visitor data, as JSON, because the page may change its object. */
  #profile: string | undefined;
  /** The profile that was sent last, or need not be, because no session takes it yet. */
  #toldProfile: string | undefined;
  /** The id of the anonymous visitor whose session this page created. */
  #ownVisitorId = '';
  /** Counts logouts: an answer to a request from before one comes too late. */
  #logouts = 0;

  /** @param onOtherVisitor called when an identity names another person than the one whose chat is in storage; says whether that one had an identity */
  constructor(options: VisitorClientOptions, store: Store, onOtherVisitor: (wasPerson: boolean) => void) {
    this.#options = options;
    this.#store = store;
    this.#onOtherVisitor = onOtherVisitor;
    this.#url = `${options.url}/api/visitor/sessions`;
    this.#identity = options.identity;
    this.#profile = JSON.stringify(options.visitor);
  }

  /** Whether the visitor has a session, or the page says who the visitor is. */
  get isBegun(): boolean {
    return this.hasIdentity || !!this.#validToken;
  }

  /** Whether the page says who the visitor is. */
  get hasIdentity(): boolean {
    return !!this.#identity;
  }

  /**
   * Returns a token of the visitor, from storage while it is valid. @throws RequestError
   * @param mayBegin false: creates no anonymous visitor, but rejects
   */
  getToken(mayBegin = true): Promise<string> {
    return this.#withIdentity((turn) => this.#reuseOrRenew(turn), mayBegin);
  }

  /** Returns a token other than the rejected one: another tab's, or a new visitor's. @throws RequestError */
  replaceToken(refused: string): Promise<string> {
    return this.#withIdentity((turn) => {
      const { token } = this.#store.read();
      return token && token !== refused ? token : this.#create(undefined, turn);
    });
  }

  /** Makes a request with a token, and once more with another one if the service refuses the first. @throws RequestError */
  async ask<T>(work: (token: string) => Promise<T>, mayReplace = true): Promise<T> {
    const logouts = this.#logouts;
    const token = await this.getToken();
    const answer = await work(token).catch(async (error: unknown) => {
      if (!mayReplace || logouts !== this.#logouts || !hasCode(error, 'unauthorized')) throw error;
      return work(await this.replaceToken(token));
    });
    if (logouts !== this.#logouts) throw FORGOTTEN;
    return answer;
  }

  /** Becomes the person whom the identity names. @throws RequestError NO_SESSION if the identity failed, and there is no other session */
  identify(identity: Identity): Promise<string> {
    this.#identity = identity;
    return this.#withIdentity((turn) => this.#create(this.#store.read().token, turn), false);
  }

  /** Whether the page names another person than `sub` by an identity that never changes. */
  isOther(sub: string | undefined): boolean {
    return typeof this.#identity === 'string' && sub !== subjectOf(this.#identity);
  }

  /** Sends a changed profile, now or when a session begins. @throws RequestError unauthorized for a revoked token */
  async setVisitor(visitor: VisitorProfile | undefined): Promise<void> {
    const profile = JSON.stringify(visitor);
    if (profile === this.#toldProfile) return;
    this.#profile = this.#toldProfile = profile;
    try {
      // Behind the lock: a session that is being created does not know it yet.
      await this.#withIdentity((turn) => {
        const token = this.#validToken;
        return token && this.#store.read().profile !== digestOf(profile) ? this.#create(token, turn) : '';
      });
    } catch (error) {
      this.#toldProfile = undefined;
      throw error;
    }
  }

  /** Forgets the identity and the session, and revokes the token. */
  forget(): void {
    this.forgetIdentity();
    const clear = () => {
      this.#revoke(this.#store.read().token);
      this.#store.clear();
      return '';
    };
    clear();
    // Again after the tab that holds the lock: it may store the answer to a request from before.
    void withLock(this.#options.widgetKey, clear);
  }

  /** Forgets who the page said that the visitor is, also in requests under way. */
  forgetIdentity(): void {
    this.#logouts++;
    this.#identity = undefined;
  }

  /** The token in storage, unless it has expired by the visitor's clock and by the service's: the visitor's may have been corrected. */
  get #validToken(): string | undefined {
    const { token = '', expiresAt = '' } = this.#store.read();
    return Math.max(Date.parse(expiresAt), (claimsOf(token).exp ?? 0) * 1_000) > Date.now() ? token : undefined;
  }

  /** Asks the site for the JWT before it takes the lock: the site's function may be slow, or never answer. */
  async #withIdentity(work: (turn: Turn) => string | Promise<string>, mayBegin = true): Promise<string> {
    const logouts = this.#logouts;
    const identity = this.#identity;
    const jwt = await (typeof identity === 'function' ? this.#askSite(identity) : identity);
    return withLock(this.#options.widgetKey, () => work({ jwt, logouts, mayBegin }));
  }

  /**
   * Returns undefined for a failure that `onIdentityFailed` takes: the visitor stays who they are, and the site isn't asked again until
   * the next `identify`.
   */
  async #askSite(identity: () => Promise<string> | string): Promise<string | undefined> {
    const { onIdentityFailed } = this.#options;
    let timer: ReturnType<typeof setTimeout>;
    try {
      const jwt: unknown = await Promise.race([
        identity(),
        new Promise((_, reject) => {
          timer = setTimeout(() => reject(Error('no answer for 10 s')), IDENTITY_TIMEOUT_MS);
        }),
      ]);
      if (typeof jwt !== 'string' && jwt != null) throw Error(`no text, but ${typeof jwt}`);
      return jwt ?? undefined;
    } catch (error) {
      if (!onIdentityFailed) throw error;
      if (this.#identity !== identity) return undefined;
      this.#identity = undefined;
      onIdentityFailed(`the function of identify failed: ${(error as Error | undefined)?.message ?? String(error)}`);
      return undefined;
    } finally {
      clearTimeout(timer!);
    }
  }

  async #reuseOrRenew(turn: Turn): Promise<string> {
    const { jwt } = turn;
    const { token, expiresAt = '', sub } = this.#store.read();
    const timeLeft = Date.parse(expiresAt) - Date.now();
    const isSamePerson = !jwt || (sub !== undefined && sub === subjectOf(jwt));
    if (token && isSamePerson && timeLeft > RENEW_BEFORE_MS) return token;
    const valid = this.#validToken;
    try {
      return await this.#create(valid, isSamePerson && valid ? { ...turn, jwt: undefined } : turn);
    } catch (error) {
      // The renewal can wait: the token is valid for some days more. If it was revoked, the request that needs it finds out.
      if (valid && isSamePerson && (isTransient(error) || hasCode(error, 'unauthorized'))) return valid;
      throw error;
    }
  }

  /** Creates a session, or renews the one of `token`, and stores it. */
  async #create(token: string | undefined, turn: Turn): Promise<string> {
    const { jwt, logouts, mayBegin } = turn;
    if (!token && !jwt && !mayBegin) throw NO_SESSION;
    const { visitorId } = this.#store.read();
    const profile = this.#profile;
    if (!visitorId) this.#expect(jwt && subjectOf(jwt));
    // A token from storage may belong to another person on this computer, so only this page's own visitor is merged.
    const merge = !!jwt && visitorId === this.#ownVisitorId;
    const body = {
      widgetKey: this.#options.widgetKey,
      visitor: profile && (JSON.parse(profile) as VisitorProfile),
      identity: jwt,
      merge,
    };
    const answer = await this.#request(merge || !jwt ? token : undefined, body)
      .catch((error: unknown) => {
        // The person doesn't depend on the token. Without an identity, this would begin another visitor.
        if (merge && hasCode(error, 'unauthorized')) return this.#request(undefined, body);
        throw error;
      })
      .catch((error: unknown) => {
        const { onIdentityFailed } = this.#options;
        if (!jwt || !onIdentityFailed || !isRefusedIdentity(error)) throw error;
        onIdentityFailed(error.detail);
        return undefined;
      });
    if (!answer) return this.#goOnWithout(jwt!, turn);
    if (logouts !== this.#logouts) {
      this.#revoke(answer.token);
      throw FORGOTTEN;
    }
    this.#save(answer, profile, visitorId, jwt, merge);
    return answer.token;
  }

  /** Continues after the service has refused an identity: with the session in storage unless it's another person's, or anonymously. */
  #goOnWithout(jwt: string, turn: Turn): Promise<string> {
    const { sub } = this.#store.read();
    // It would be refused for each request.
    this.#identity = undefined;
    if (sub && sub !== subjectOf(jwt)) {
      this.#store.clear();
      this.#onOtherVisitor(true);
    }
    return this.#create(this.#validToken, { ...turn, jwt: undefined });
  }

  /** What waits in storage for a first session is only for the person who wrote it. */
  #expect(sub: string | undefined): void {
    const { sub: before } = this.#store.read();
    if (sub === before) return;
    this.#store.write({ sub });
    this.#onOtherVisitor(!!before);
  }

  #request(token: string | undefined, body: object): Promise<SessionAnswer> {
    return request<SessionAnswer>(this.#url, token, body);
  }

  #save(
    { token, visitor: { id } }: SessionAnswer,
    profile?: string,
    previousId?: string,
    jwt?: string,
    merge?: boolean,
  ): void {
    const isOther = previousId !== id && !merge;
    const { sub: before } = this.#store.read();
    const sub = jwt ? subjectOf(jwt) : isOther ? undefined : before;
    const { iat = 0, exp = 0 } = claimsOf(token);
    // By the visitor's clock, which may be wrong by years.
    const expiresAt = new Date(Date.now() + (exp - iat) * 1_000).toISOString();
    const kept = { token, expiresAt, visitorId: id, sub };
    this.#store.write({ ...kept, profile: digestOf(profile) });
    if (!isOther) return;
    // The chat in storage belongs to the previous visitor.
    this.#store.forgetChat();
    if (!jwt) this.#ownVisitorId = id;
    else if (previousId) this.#onOtherVisitor(!!before && before !== sub);
  }

  // Revoked, so that a copy of the token is of no use. The visitor need not wait for it, or see it fail: without a connection, it's
  // tried again until there is one.
  #revoke(token?: string, failures = 0): void {
    if (!token) return;
    request(this.#url, token, undefined, 'DELETE').catch((error: unknown) => {
      if (!isTransient(error)) return;
      const timer: unknown = setTimeout(() => this.#revoke(token, failures + 1), backoff(failures));
      // In Node, it keeps no script from ending.
      (timer as { unref?: () => void }).unref?.();
    });
  }
}

/** The `sub` of a JWT, which the service alone verifies. */
const subjectOf = (jwt: string): string | undefined => claimsOf(jwt).sub;

/** A number that is another one for another profile. */
const digestOf = (profile = ''): number =>
  [...profile].reduce((sum, character) => (sum * 31 + character.codePointAt(0)!) | 0, 0);

function claimsOf(jwt: string): { sub?: string; exp?: number; iat?: number } {
  try {
    const payload = (jwt.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes)) as ReturnType<typeof claimsOf>;
  } catch {
    return {};
  }
}

function isRefusedIdentity(error: unknown): error is RequestError {
  return hasCode(error, 'unauthorized') || hasCode(error, 'validation_failed');
}

// Makes tabs that start together create one session. A page without https has no locks, and one that may store nothing gets none:
// there the last tab wins. So it does when another script holds the lock for too long.
function withLock(widgetKey: string, work: () => string | Promise<string>): string | Promise<string> {
  const locks = (globalThis.navigator as Navigator | undefined)?.locks as LockManager | undefined;
  if (!locks) return work();
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), LOCK_TIMEOUT_MS);
  const run = () => {
    clearTimeout(timer);
    return work();
  };
  return locks.request(`parley:${widgetKey}`, { signal: waiting.signal }, run).catch((error: unknown) => {
    if (waiting.signal.aborted || (error as Error).name === 'SecurityError') return run();
    throw error;
  }) as Promise<string>;
}
