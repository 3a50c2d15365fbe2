import { overloaded } from '../platform/errors/problem.js';

/** The most checks at a time, of all organizations and of one. */
const MAX_CHECKS = 200;
const MAX_CHECKS_OF_ONE = 50;
/** The most of all organizations whose provider hasn't answered yet, or not the last time. */
const MAX_UNPROVEN_CHECKS = 100;
/** After so many checks in a row without an answer, an organization's provider is left alone for a time, and then asked once at a time. */
const MAX_SILENT = 3;
const PAUSE_MS = 10_000;
/** The most organizations that are remembered. */
const MAX_ORGANIZATIONS = 10_000;

interface Provider {
  running: number;
  isProven: boolean;
  /** Checks in a row without an answer. */
  silent: number;
  pausedUntil: number;
}

/**
 * Divides the checks at a time among organizations, each of which chooses its provider. Those with silent providers leave room for all
 * others, however many organizations they are. Nothing is counted by host, because another organization may name the same one.
 */
export class CaptchaChecks {
  private readonly providers = new Map<string, Provider>();
  private running = 0;
  private unproven = 0;

  /**
   * Begins a check. Returns what ends it.
   * @throws Problem unavailable if too many are running, or the provider hasn't answered several times in a row
   */
  begin(organizationId: string): (hasAnswered: boolean) => void {
    const provider = this.providers.get(organizationId) ?? { running: 0, isProven: false, silent: 0, pausedUntil: 0 };
    const { isProven } = provider;
    if (this.isFull(provider)) throw overloaded();
    this.count(provider, isProven, 1);
    this.remember(organizationId, provider);
    return (hasAnswered) => {
      this.count(provider, isProven, -1);
      provider.isProven = hasAnswered;
      provider.silent = hasAnswered ? 0 : provider.silent + 1;
      if (provider.silent >= MAX_SILENT) provider.pausedUntil = performance.now() + PAUSE_MS;
    };
  }

  private isFull({ running, isProven, silent, pausedUntil }: Provider): boolean {
    if (silent >= MAX_SILENT && (running > 0 || performance.now() < pausedUntil)) return true;
    if (running >= MAX_CHECKS_OF_ONE || this.running >= MAX_CHECKS) return true;
    return !isProven && this.unproven >= MAX_UNPROVEN_CHECKS;
  }

  private count(provider: Provider, isProven: boolean, change: 1 | -1): void {
    provider.running += change;
    this.running += change;
    if (!isProven) this.unproven += change;
  }

  private remember(organizationId: string, provider: Provider): void {
    this.providers.delete(organizationId);
    this.providers.set(organizationId, provider);
    if (this.providers.size > MAX_ORGANIZATIONS) this.providers.delete(this.providers.keys().next().value!);
  }
}
