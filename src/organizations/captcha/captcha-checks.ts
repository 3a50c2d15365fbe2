import { overloaded } from '../../platform/errors/problem.js';

/** The most concurrent checks of all organizations, and of one. */
export const MAX_CHECKS = 200;
export const MAX_CHECKS_OF_ONE = 50;
/** The most concurrent checks of organizations whose provider has never answered, or didn't answer the last time. */
export const MAX_UNPROVEN_CHECKS = 100;
/** After this many checks in a row without an answer, a provider isn't asked for `PAUSE_MS`, and then by one check at a time. */
const MAX_SILENT = 3;
const PAUSE_MS = 10_000;
/** The most organizations that are remembered. */
const MAX_ORGANIZATIONS = 10_000;

interface Check {
  provider: Provider;
  abort: () => void;
}

interface Provider {
  /** The oldest first. */
  running: Set<Check>;
  /** Whether it answered the last time. */
  isProven: boolean;
  /** Checks in a row without an answer. */
  silent: number;
  pausedUntil: number;
}

/**
 * Divides the concurrent checks among organizations. Each organization chooses its provider. An organization with a silent provider leaves
 * room for the others. While all places are taken, an organization with fewer checks takes one from the organization with the most. So
 * silent providers cost other organizations nothing, however many they are. Nothing is counted by host, because another organization may
 * name the same one.
 */
export class CaptchaChecks {
  private readonly providers = new Map<string, Provider>();
  private readonly busy = new Set<Provider>();
  private running = 0;

  /**
   * Begins a check. Returns what ends it.
   * @param abort called if the check loses its place
   * @throws Problem unavailable if too many are running, or the provider hasn't answered several times in a row
   */
  begin(organizationId: string, abort: () => void): (hasAnswered: boolean) => void {
    const provider = this.providers.get(organizationId) ?? newProvider();
    if (isFull(provider)) throw overloaded('the checks of one captcha provider');
    this.makeRoom(provider);
    const check = { provider, abort };
    provider.running.add(check);
    this.busy.add(provider);
    this.running++;
    this.remember(organizationId, provider);
    return (hasAnswered) => {
      if (!this.remove(check)) return;
      provider.isProven = hasAnswered;
      provider.silent = hasAnswered ? 0 : provider.silent + 1;
      if (provider.silent >= MAX_SILENT) provider.pausedUntil = performance.now() + PAUSE_MS;
    };
  }

  // Of providers that haven't answered, if it's one of them and they have their share. The oldest check has had the most time.
  private makeRoom({ isProven, running }: Provider): void {
    const unproven = Array.from(this.busy).filter((one) => !one.isProven);
    const isOverShare = !isProven && unproven.reduce((sum, one) => sum + one.running.size, 0) >= MAX_UNPROVEN_CHECKS;
    if (this.running < MAX_CHECKS && !isOverShare) return;
    const [most] = (isOverShare ? unproven : Array.from(this.busy)).toSorted((a, b) => b.running.size - a.running.size);
    if (!most || most.running.size <= running.size) throw overloaded(`${MAX_CHECKS} checks of captchas run`);
    const [oldest] = most.running;
    this.remove(oldest!);
    oldest!.abort();
  }

  private remove(check: Check): boolean {
    const { provider } = check;
    if (!provider.running.delete(check)) return false;
    if (provider.running.size === 0) this.busy.delete(provider);
    this.running--;
    return true;
  }

  private remember(organizationId: string, provider: Provider): void {
    this.providers.delete(organizationId);
    this.providers.set(organizationId, provider);
    if (this.providers.size > MAX_ORGANIZATIONS) this.providers.delete(this.providers.keys().next().value!);
  }
}

function newProvider(): Provider {
  return { running: new Set(), isProven: false, silent: 0, pausedUntil: 0 };
}

function isFull({ running, silent, pausedUntil }: Provider): boolean {
  if (silent >= MAX_SILENT && (running.size > 0 || performance.now() < pausedUntil)) return true;
  return running.size >= MAX_CHECKS_OF_ONE;
}
