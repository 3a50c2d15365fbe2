import { signal } from '@preact/signals';
import type { Sender } from '../../../headless/types.js';
import type { Named, Row } from '../../api/types.js';
import { visitorName } from '../../lib/names.js';
import { strings } from '../../locales/strings.js';
import { rowOf } from './rows.js';
import { session } from '../session.js';

/** Typing that isn't renewed expires after this. */
const EXPIRES_MS = 12_000;

const viewers = signal<ReadonlyMap<string, readonly string[]>>(new Map());
const typists = signal<ReadonlyMap<string, ReadonlyMap<string, string>>>(new Map());

const timers = new Map<string, ReturnType<typeof setTimeout>>();

/** The names of colleagues who view a chat. The service sends them only for chats that the agent has or follows. */
export function viewersOf(chatId: string): readonly string[] {
  return viewers.value.get(chatId) ?? [];
}

/** The names of people who are typing in a chat. */
export function typistsOf(chatId: string): string[] {
  const all = [...(typists.value.get(chatId) ?? [])];
  const row = rowOf(chatId);
  return all.flatMap(([key, name]) => (mayType({ type: key.split(' ', 1)[0]! }, row) ? name : []));
}

/** A text that a bot began before an agent took the chat isn't continued. */
export function mayType({ type }: { type: string }, row: Row | undefined): boolean {
  return type !== 'BOT' || row?.owner !== 'AGENT';
}

export function onViewers(chatId: string, agents: readonly Named[]): void {
  const others = agents.filter(({ id }) => id !== session.value?.agent.id).map(({ name }) => name);
  viewers.value = changed(viewers.value, chatId, others, others.length === 0);
}

export function onTyping(chatId: string, sender: Sender, isTyping: boolean): void {
  const key = `${sender.type} ${sender.id}`;
  const here = new Map(typists.value.get(chatId));
  const timer = `${chatId} ${key}`;
  clearTimeout(timers.get(timer));
  timers.delete(timer);
  const row = rowOf(chatId);
  if (isTyping) here.set(key, sender.name ?? (row ? visitorName(row) : strings.value.unnamed));
  else if (!here.delete(key)) return;
  typists.value = changed(typists.value, chatId, here, here.size === 0);
  if (isTyping)
    timers.set(
      timer,
      setTimeout(() => onTyping(chatId, sender, false), EXPIRES_MS),
    );
}

function changed<T>(map: ReadonlyMap<string, T>, key: string, value: T, isNothing: boolean): ReadonlyMap<string, T> {
  const copy = new Map(map);
  if (isNothing) copy.delete(key);
  else copy.set(key, value);
  return copy;
}

/** Call this when the connection is lost: after a reconnect, the service sends viewers and typing again when they change. */
export function forgetWatchers(): void {
  viewers.value = new Map();
  typists.value = new Map();
}
