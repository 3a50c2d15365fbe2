import { knownTimeZone } from '../platform/locale/time-zone.js';
import { PUSH_KINDS, type PushKind } from './push-kind.js';

/** A part of each day. */
export interface QuietHours {
  /** `HH:MM`. */
  from: string;
  /** `HH:MM`, not included. If it isn't later than `from`, it's on the next day. */
  to: string;
  timeZone: string;
}

/** What an agent wants to be notified about, on all devices. */
export interface PushSettings {
  kinds: readonly PushKind[];
  /** When nothing is sent; null: never. */
  quietHours: QuietHours | null;
  /** Whether notifications make no sound. */
  isSilent: boolean;
}

export type PushSettingsChange = Partial<PushSettings>;

const DEFAULTS: PushSettings = { kinds: PUSH_KINDS, quietHours: null, isSilent: false };

/** Fills in the defaults. */
export function withPushDefaults(stored: PushSettingsChange | null): PushSettings {
  return { ...DEFAULTS, ...stored };
}

/** Whether nothing is sent at this time. */
export function isQuiet({ quietHours }: Pick<PushSettings, 'quietHours'>, at: Date): boolean {
  if (quietHours === null) return false;
  const { from, to } = quietHours;
  const time = clockOf(knownTimeZone(quietHours.timeZone), at);
  return from < to ? from <= time && time < to : from <= time || time < to;
}

function clockOf(timeZone: string, at: Date): string {
  const format = { timeZone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-GB', format).format(at);
}
