// The words are those of the attributes of the page.
export const THEMES = ['auto', 'light', 'dark'] as const;
export const POSITIONS = ['left', 'right'] as const;
export const ASKINGS = ['optional', 'required'] as const;

export type Theme = (typeof THEMES)[number];
export type Position = (typeof POSITIONS)[number];
/** Whether the visitor may leave a field empty that is asked before the first message. */
export type Asking = (typeof ASKINGS)[number];

/** How an organization's widget looks and what it asks (CONTRACT section 13). Null: the widget decides. */
export interface WidgetSettings {
  /** What the header says before anyone has spoken; null: the name of the organization. */
  name: string | null;
  /** Shown before the visitor's first word. */
  greeting: string | null;
  /** After so many seconds on a page the greeting is shown beside the closed button; null: it is not. */
  greetingAfterSeconds: number | null;
  /** The greeting is shown by itself only on pages whose path begins with one of these; empty: on all. */
  greetingPaths: string[];
  /** CSS colours: the widget's own, and that of text on it. */
  color: string | null;
  colorText: string | null;
  theme: Theme | null;
  position: Position | null;
  /** A BCP 47 tag. */
  locale: string | null;
  /** Whether a message may make a sound. */
  sound: boolean;
  /** The page that says what happens with what visitors write. */
  privacyUrl: string | null;
  /** The line that is shown with the link before the first message. */
  consent: string | null;
  /** Asked before the first message; null: not asked. */
  askName: Asking | null;
  askEmail: Asking | null;
  officeHours: string | null;
  /** First questions that the visitor may ask with a click. */
  questions: string[];
  /** Whether visitors are asked to rate a chat that has ended. */
  rating: boolean;
}

/** The settings that were made; the others are those of `DEFAULTS`. */
export type StoredWidgetSettings = Partial<WidgetSettings>;

/** Changes of the given settings; null takes one back to its default. */
export type WidgetSettingsChange = { [K in keyof WidgetSettings]?: WidgetSettings[K] | null };

const DEFAULTS: WidgetSettings = {
  name: null,
  greeting: null,
  greetingAfterSeconds: null,
  greetingPaths: [],
  color: null,
  colorText: null,
  theme: null,
  position: null,
  locale: null,
  sound: true,
  privacyUrl: null,
  consent: null,
  askName: null,
  askEmail: null,
  officeHours: null,
  questions: [],
  rating: false,
};

/** All settings, in one order, from those that were made. */
export function withDefaults(stored: StoredWidgetSettings | null): WidgetSettings {
  const made = stored ?? {};
  const names = Object.keys(DEFAULTS) as (keyof WidgetSettings)[];
  return Object.fromEntries(names.map((name) => [name, made[name] ?? DEFAULTS[name]])) as unknown as WidgetSettings;
}
