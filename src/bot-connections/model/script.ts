/** What can be asked without choices. */
export const ASKS = ['text', 'name', 'email'] as const;
export type Ask = (typeof ASKS)[number];

/** How a script goes on. */
export const ACTIONS = ['step', 'hand_over', 'close'] as const;

export type ScriptNext =
  | { action: 'step'; step: string }
  /** Without a group: the connection's `targetGroupId`. */
  | { action: 'hand_over'; groupId?: string }
  | { action: 'close' };

export interface ScriptChoice {
  label: string;
  next: ScriptNext;
}

/** A message of the bot. With choices or `ask`, it waits for the visitor. Otherwise it goes on with `next`, if it has one. */
export interface ScriptStep {
  id: string;
  text: string;
  choices?: ScriptChoice[];
  ask?: Ask;
  next?: ScriptNext;
  /** Words that lead to this step from any other one that isn't asking for a text. */
  keywords?: string[];
}

/** What happens if the visitor's words lead nowhere. */
export interface ScriptFallback {
  /** Default: a sentence in the language of the chat. */
  text?: string;
  /** The miss that hands the chat over; the ones before are answered with `text`. */
  misses?: number;
  groupId?: string;
}

/** What a scripted bot says. It begins with the first step (CONTRACT: Scripts). */
export interface Script {
  steps: ScriptStep[];
  fallback?: ScriptFallback;
}

export const DEFAULT_MISSES = 2;

/** Limits of a script. Texts count in characters. */
export const SCRIPT_LIMITS = {
  bytes: 64 * 1024,
  /** Values of JSON: the largest script has about 10,900. */
  values: 12_500,
  steps: 50,
  id: 40,
  text: 2_000,
  choices: 10,
  label: 100,
  keywords: 20,
  keyword: 50,
  misses: 5,
  /** The bot's messages in a row, until the visitor has a turn. */
  row: 10,
} as const;

/** Where a chat is in a script. It's the state of the chat's transcript. */
export interface ScriptState {
  /** The step that waits for the visitor; null: none, so the script begins again. */
  step: string | null;
  /** How many of the visitor's turns in a row led nowhere. */
  misses: number;
  /** The labels that the visitor chose. */
  chosen: string[];
  /** The visitor's last message that was answered. */
  seq: number;
}

/** The parts of a script that lead on, with their JSON pointers. */
function nextsOf({ steps }: Script): { pointer: string; next: ScriptNext }[] {
  return steps.flatMap(({ next, choices = [] }, at) => [
    ...(next ? [{ pointer: `/steps/${at}/next`, next }] : []),
    ...choices.map((choice, index) => ({ pointer: `/steps/${at}/choices/${index}/next`, next: choice.next })),
  ]);
}

/** The groups that a script names, with their JSON pointers. */
export function groupsOf(script: Script): { pointer: string; id: string }[] {
  const named = nextsOf(script).flatMap(({ pointer, next }) =>
    next.action === 'hand_over' && next.groupId !== undefined
      ? [{ pointer: `${pointer}/groupId`, id: next.groupId }]
      : [],
  );
  const { groupId } = script.fallback ?? {};
  return groupId === undefined ? named : [...named, { pointer: '/fallback/groupId', id: groupId }];
}
