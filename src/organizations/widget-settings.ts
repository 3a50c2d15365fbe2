import type { FieldTexts, FormField } from '../platform/validation/form.js';

// The page's attributes use the same words.
export const THEMES = ['auto', 'light', 'dark'] as const;
export const POSITIONS = ['left', 'right'] as const;
export const ASKINGS = ['optional', 'required'] as const;
/** The button's icons besides the speech bubble. */
export const LAUNCHER_ICONS = ['question', 'headset', 'smile', 'sparkles'] as const;
/** Whether this browser has been on the site in an earlier visit. */
export const VISITOR_KINDS = ['new', 'returning'] as const;

export type Theme = (typeof THEMES)[number];
export type Position = (typeof POSITIONS)[number];
export type LauncherIcon = (typeof LAUNCHER_ICONS)[number];
/** Whether a field that's asked before the first message may be left empty. */
export type Asking = (typeof ASKINGS)[number];

export type VisitorKind = (typeof VISITOR_KINDS)[number];

/** A message beside the closed button. It's shown where all of its rules hold; absent ones always do. */
export interface ProactiveMessage {
  /** Chosen by an administrator: the chats that begin with the message have it in their metadata. */
  id: string;
  text: string;
  /** Prefixes of the paths of pages where it's shown, and of those where it isn't. */
  paths?: string[];
  excludedPaths?: string[];
  /** Seconds on the page. */
  afterSeconds?: number;
  /** Pages that the visitor has seen in this visit, with this one. */
  minPages?: number;
  /** How far down the page the visitor has scrolled. */
  afterScrollPercent?: number;
  visitor?: VisitorKind;
}

/** What the widget says in one language. An absent text is the one without a language. */
export interface Translation {
  greeting?: string;
  consent?: string;
  questions?: string[];
  /** By the fields' keys. */
  formFields?: Record<string, FieldTexts>;
  aiDisclosure?: { text?: string };
  /** Texts by the messages' ids. */
  proactiveMessages?: Record<string, string>;
}

/** How an organization's widget looks, and what it asks (CONTRACT: Widget settings). Null: the widget decides. */
export interface WidgetSettings {
  /** The header's text before the first message; null: the organization's name. */
  name: string | null;
  /** Shown before the visitor's first message. */
  greeting: string | null;
  /** Seconds on a page until the greeting is shown beside the closed button; null: never. */
  greetingAfterSeconds: number | null;
  /** The greeting appears by itself only on pages whose path begins with one of these; empty: on all. */
  greetingPaths: string[];
  /** The first one whose rules hold is shown. */
  proactiveMessages: ProactiveMessage[];
  /** CSS colors of the widget, and of text on it. */
  color: string | null;
  colorText: string | null;
  theme: Theme | null;
  position: Position | null;
  /** The closed button's icon; null: a speech bubble. */
  launcherIcon: LauncherIcon | null;
  /** A BCP 47 tag. */
  locale: string | null;
  /** Whether new messages play a sound. */
  sound: boolean;
  /** The address of the privacy policy. */
  privacyUrl: string | null;
  /** The text shown with the link before the first message. */
  consent: string | null;
  /** Asked before the first message; null: not asked. */
  askName: Asking | null;
  askEmail: Asking | null;
  /** Asked before the first message of a chat, whose metadata gets the values. */
  formFields: FormField[];
  officeHours: string | null;
  /** Suggested first questions, which the visitor can send with a click. */
  questions: string[];
  /** The texts in other languages, by BCP 47 tag. */
  translations: Record<string, Translation>;
  /** Whether visitors are asked to rate a chat that has ended. */
  rating: boolean;
  /** Whether visitors can rate each message of a bot. */
  messageRating: boolean;
  /** Visitors may ask for a person after so many messages of bots; null: never. */
  personAfter: number | null;
  /** Whether chats and messages contain the visitor's page. */
  pageContext: boolean;
  /** The domain whose subdomains share a visitor's session, by a cookie; null: each site has its own. */
  cookieDomain: string | null;
  /** What visitors read before the first word of an AI; null or without a text: Parley's own words. */
  aiDisclosure: { text?: string } | null;
}

/** The stored settings. Missing ones have their value in `DEFAULTS`. */
export type StoredWidgetSettings = Partial<WidgetSettings>;

/** New values of settings; null resets one to its default. */
export type WidgetSettingsChange = { [K in keyof WidgetSettings]?: WidgetSettings[K] | null };

const DEFAULTS: WidgetSettings = {
  name: null,
  greeting: null,
  greetingAfterSeconds: null,
  greetingPaths: [],
  proactiveMessages: [],
  color: null,
  colorText: null,
  theme: null,
  position: null,
  launcherIcon: null,
  locale: null,
  sound: true,
  privacyUrl: null,
  consent: null,
  askName: null,
  askEmail: null,
  formFields: [],
  officeHours: null,
  questions: [],
  translations: {},
  rating: false,
  messageRating: false,
  personAfter: null,
  pageContext: false,
  cookieDomain: null,
  aiDisclosure: null,
};

/** Fills in the defaults, in a fixed order. */
export function withDefaults(stored: StoredWidgetSettings | null): WidgetSettings {
  const made = stored ?? {};
  const names = Object.keys(DEFAULTS) as (keyof WidgetSettings)[];
  return Object.fromEntries(names.map((name) => [name, made[name] ?? DEFAULTS[name]])) as unknown as WidgetSettings;
}
