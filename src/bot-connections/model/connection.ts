import type { Script } from './script.js';

/** The wires that endpoints speak (CONTRACT: Bots by address). */
const ENDPOINT_KINDS = ['agui', 'openai', 'dify', 'n8n'] as const;
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

/** What may answer for a bot: an endpoint, or a script. */
export const CONNECTION_KINDS = [...ENDPOINT_KINDS, 'script'] as const;
export type ConnectionKind = (typeof CONNECTION_KINDS)[number];

/** What happens if a visitor writes again before the answer. */
export const ON_NEW_MESSAGE = ['collect', 'queue', 'interrupt'] as const;
export type OnNewMessage = (typeof ON_NEW_MESSAGE)[number];

/** What an endpoint gets besides the conversation. */
export const SHARES = ['groups', 'page', 'visitor', 'notes', 'files'] as const;
export type Share = (typeof SHARES)[number];

/** The tools that Parley offers to an endpoint. */
export const TOOLS = ['hand_over', 'offer_choices', 'set_tags', 'close_chat'] as const;
export type ToolName = (typeof TOOLS)[number];

/** What the visitor reads, and where the chat goes, if a turn fails. */
export interface FailureSettings {
  sentence?: string;
  reason?: string;
  targetGroupId?: string;
}

/** The settings of a connection, apart from its address and its secrets. */
export interface ConnectionSettings {
  onNewMessage: OnNewMessage;
  /** Milliseconds from the visitor's newest message to the beginning of the turn. */
  collectFor: number;
  /** The most messages of the conversation that a request has. */
  history: number;
  share: Share[];
  tools: ToolName[];
  /** The most runs of a step. */
  tries: number;
  failure: FailureSettings | null;
  /** The group of hand-overs that name none; null: the default group. */
  targetGroupId: string | null;
  showSteps: boolean;
  /** `0`: an endpoint from before AG-UI 1.0, which gets no version. */
  protocol: '0' | '1';
  /** How much of the conversation is sent together with the answers to questions. */
  resumeHistory: 'full' | 'none';
  /** The most concurrent runs. */
  maxRuns: number;
  /** The most tokens in a UTC day. When they're used up, agents get the chats. Null: no limit. */
  dailyTokens: number | null;
  instructions: string | null;
  model: string | null;
  temperature: number | null;
  includeUsage: boolean;
  /** Members that are added to each request. */
  body: Record<string, unknown>;
  /** The variables of a Dify app. */
  inputs: Record<string, unknown>;
  /** What a scripted bot says; null: the built-in script, in the language of the chat. */
  script: Script | null;
}

const DEFAULT_SETTINGS: ConnectionSettings = {
  onNewMessage: 'collect',
  collectFor: 800,
  history: 100,
  share: ['groups', 'page'],
  tools: [...TOOLS],
  tries: 3,
  failure: null,
  targetGroupId: null,
  showSteps: true,
  protocol: '1',
  resumeHistory: 'full',
  maxRuns: 100,
  dailyTokens: null,
  instructions: null,
  model: null,
  temperature: null,
  includeUsage: true,
  body: {},
  inputs: {},
  script: null,
};

/** A script needs little of the conversation, and answers soon, because visitors click its choices. */
const SCRIPT_SETTINGS = { history: 20, share: ['visitor'], collectFor: 300 } satisfies Partial<ConnectionSettings>;

/** Fields that not all kinds have. */
const OF_KIND = {
  url: ENDPOINT_KINDS,
  headers: ENDPOINT_KINDS,
  share: ENDPOINT_KINDS,
  tries: ENDPOINT_KINDS,
  showSteps: ENDPOINT_KINDS,
  maxRuns: ENDPOINT_KINDS,
  dailyTokens: ENDPOINT_KINDS,
  history: ['agui', 'openai', 'n8n'],
  tools: ['agui', 'openai'],
  protocol: ['agui'],
  resumeHistory: ['agui'],
  instructions: ['openai'],
  model: ['openai'],
  temperature: ['openai'],
  includeUsage: ['openai'],
  body: ['openai'],
  inputs: ['dify'],
  script: ['script'],
} as const satisfies Partial<Record<keyof ConnectionSettings | 'url' | 'headers', readonly ConnectionKind[]>>;
const WITH_KEY: readonly ConnectionKind[] = ['openai', 'dify'];
const SIGNED: readonly ConnectionKind[] = ['agui', 'n8n'];

/** Whether connections of a kind have a field. */
export function isOfKind(kind: ConnectionKind, field: string): boolean {
  if (field === 'key') return WITH_KEY.includes(kind);
  const kinds: readonly ConnectionKind[] = OF_KIND[field as keyof typeof OF_KIND] ?? CONNECTION_KINDS;
  return kinds.includes(kind);
}

/** Whether an endpoint answers, at an address. */
export function isEndpoint(kind: ConnectionKind): kind is EndpointKind {
  return kind !== 'script';
}

/** Whether Parley signs the requests to endpoints of a kind. */
export function isSigned(kind: ConnectionKind): boolean {
  return SIGNED.includes(kind);
}

/** The default settings of a kind. Dify and n8n are tried once, because they don't recognize a repeated request by its key. */
export function defaultsOf(kind: ConnectionKind): ConnectionSettings {
  if (!isEndpoint(kind)) return { ...DEFAULT_SETTINGS, ...SCRIPT_SETTINGS, tools: [] };
  const tries = kind === 'dify' || kind === 'n8n' ? 1 : DEFAULT_SETTINGS.tries;
  return { ...DEFAULT_SETTINGS, tries, tools: isOfKind(kind, 'tools') ? DEFAULT_SETTINGS.tools : [] };
}

/** The secrets of a connection. They're sealed together, and given to its address alone. */
export interface ConnectionSecrets {
  /** The query of its address, with the `?`; empty without one. */
  query: string;
  key: string | null;
  headers: Record<string, string>;
  /** What signs its requests, for kinds that have signatures. */
  signing?: SigningSecrets;
}

/** The secret that signs requests, and the one before while both do. */
export interface SigningSecrets {
  secret: string;
  previous?: { secret: string; until: string };
}

export const NO_SECRETS: ConnectionSecrets = { query: '', key: null, headers: {} };

/** What agents read as the reason of a hand-over if the connection names none. */
export const DEFAULT_FAILURE_REASON = "The assistant can't continue";
