import { effect, signal, untracked } from '@preact/signals';
import { followed } from './inbox/followed.js';
import { offers } from './inbox/offers.js';
import { rowOf } from './inbox/rows.js';
import { isPlaceChosen, route } from './route.js';
import { session } from './session.js';

// Something that appears by itself must not take a key or a click that was meant for what the page showed before.

/** The chats and offers with an action in flight: a second one does nothing. */
export const inFlight = signal<ReadonlySet<string>>(new Set());

/** Runs an action of a chat or an offer, which is in flight until it's over. */
export async function fly<T>(id: string, work: () => Promise<T>): Promise<T> {
  if (inFlight.value.has(id)) return work();
  inFlight.value = new Set([...inFlight.value, id]);
  try {
    return await work();
  } finally {
    inFlight.value = new Set([...inFlight.value].filter((other) => other !== id));
  }
}

/** How long a chat, or what takes another one's place, is shown before its actions work, in milliseconds. */
export const STEADY_MS = 500;
/** The same of an offer. Agents answer one without looking long, and the next one takes its place. */
const OFFER_MS = 1_000;

/** Something that keys and buttons act on. It's steady a while after it last changed. */
class Subject {
  /** False for a while after it changed. */
  readonly isSteady = signal(true);
  private name = '';
  private timer = 0;
  private frame = 0;
  /** Whether the agent chose it, so that a key that comes too early waits. */
  private isChosen = false;
  private waiting: (() => unknown) | null = null;

  constructor(
    private readonly ms: number,
    /** What the actions are about; two different ones are two different texts. */
    private readonly read: () => string,
    /** Whether the agent chose it, and it didn't appear by itself. */
    private readonly wasChosen: (before: string, now: string) => boolean = () => false,
  ) {}

  /** Watches it. Returns a function that ends it. */
  watch(): () => void {
    this.name = untracked(this.read);
    return effect(() => {
      const [before, now] = [this.name, this.read()];
      if (before === now) return;
      this.name = now;
      untracked(() => this.change(this.wasChosen(before, now)));
    });
  }

  /**
   * Does what a key asked for. If the agent chose the subject a moment ago, it's done once the subject is steady, unless something else
   * is shown or the agent does something else by then. If it appeared by itself, the key does nothing.
   */
  act(work: () => unknown): void {
    if (this.isSteady.value) return void work();
    if (!this.isChosen) return;
    const isUntouched = untouchedSince();
    this.waiting = () => isUntouched() && work();
  }

  private change(isChosen: boolean): void {
    this.isSteady.value = false;
    this.isChosen = isChosen;
    this.waiting = null;
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
    // The time counts from the frame that shows it: a busy computer draws late.
    this.frame = requestAnimationFrame(() => {
      this.timer = setTimeout(() => this.settle(), this.ms) as unknown as number;
    });
  }

  private settle(): void {
    this.isSteady.value = true;
    this.waiting?.();
  }
}

const openId = () => (route.value.page === 'inbox' ? route.value.chatId : undefined);

/** The open chat, with who has it, and whether the agent follows it: that decides what a key or a button does. */
export const chatSubject = new Subject(
  STEADY_MS,
  () => {
    const row = rowOf(openId() ?? '');
    return row
      ? [row.id, row.owner, row.assignedTo?.id, row.snooze && 'snoozed', followed.value.includes(row.id)].join(' ')
      : '';
  },
  // An open chat that changes does that by itself, unless the agent's own action changes it.
  (before, now) => {
    const [id = ''] = now.split(' ', 1);
    return before.startsWith(`${id} `) ? inFlight.value.has(id) : isPlaceChosen;
  },
);

/** Whether the open chat's dialogs may act: they hide what has just changed. */
export const isChatSteady = (): boolean => chatSubject.isSteady.value;

/** The offer that is shown, and the card above it after missed ones. */
export const offerSubject = new Subject(
  OFFER_MS,
  () => `${offers.value[0]?.id} ${session.value?.agent.pauseReason === 'MISSED_OFFERS'}`,
);

/** How often the agent has typed, pressed, or opened something. */
let acts = 0;

/** Call this for each key that does something. */
export function noteAct(): void {
  acts++;
}

/** Returns a function that returns whether the agent has done nothing since. */
export function untouchedSince(): () => boolean {
  const [before, place] = [acts, route.value];
  return () => acts === before && route.value === place;
}

/** What the first click of a double click was for. */
let clicked: Element | null = null;

// The second click of a double click is meant for what the first one has removed, and not for what was below.
function onClick(event: MouseEvent): void {
  if (event.detail < 2) clicked = (event.target as Element).closest('button, a');
  else if (clicked && !clicked.isConnected) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

/** Watches what the agent does, and what changes by itself. Returns a function that ends it. */
export function watchSteadiness(): () => void {
  const options = { capture: true };
  addEventListener('input', noteAct, options);
  addEventListener('pointerdown', noteAct, options);
  addEventListener('click', onClick, options);
  const ends = [chatSubject.watch(), offerSubject.watch()];
  return () => {
    removeEventListener('input', noteAct, options);
    removeEventListener('pointerdown', noteAct, options);
    removeEventListener('click', onClick, options);
    ends.forEach((end) => end());
  };
}
