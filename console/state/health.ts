import { computed, signal } from '@preact/signals';
import { read, type Trouble } from '../admin/api.js';
import { ownName } from '../lib/service.js';

const EVERY_MS = 60_000;
const DISMISSED_KEY = ownName('console:health');

/** What needs an administrator, as far as it's known. */
export const troubles = signal<readonly Trouble[]>([]);
/** What an administrator has dismissed in this browser, until it's over. */
const dismissed = signal<readonly string[]>(readDismissed());

const nameOf = ({ kind, id }: Trouble) => `${kind} ${id ?? ''}`;

/** The same, unless all of it was dismissed. */
export const news = computed(() =>
  troubles.value.every((trouble) => dismissed.value.includes(nameOf(trouble))) ? [] : troubles.value,
);

/** Dismisses what there is, until something is added to it. */
export function dismissTroubles(): void {
  keep(troubles.value.map(nameOf));
}

/** Asks now, and every minute while the page is visible. Returns a function that ends it. */
export function watchHealth(): () => void {
  const timer = setInterval(() => document.visibilityState === 'visible' && void readHealth(), EVERY_MS);
  void readHealth();
  return () => clearInterval(timer);
}

/** Asks again. Without an answer, what's known stays. */
async function readHealth(): Promise<void> {
  const answer = await read<{ troubles: Trouble[] }>('/health').catch(() => null);
  if (!answer) return;
  const names = answer.troubles.map(nameOf);
  const kept = dismissed.peek().filter((name) => names.includes(name));
  if (kept.length < dismissed.peek().length) keep(kept);
  troubles.value = answer.troubles;
}

function keep(names: readonly string[]): void {
  dismissed.value = names;
  try {
    localStorage.setItem(DISMISSED_KEY, JSON.stringify(names));
  } catch {
    // Without storage, it lasts until a reload.
  }
}

function readDismissed(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(DISMISSED_KEY) ?? '[]');
    return Array.isArray(kept) ? kept.map(String) : [];
  } catch {
    return [];
  }
}
