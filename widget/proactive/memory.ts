import type { Chosen } from '../types.js';

/** A page this long after the last one begins a visit, in milliseconds. */
const VISIT_MS = 30 * 60 * 1_000;
/** No rule asks for more pages. */
const MAX_PAGES = 100;

/** What the browser keeps. */
interface Kept {
  /** The ids of messages that were shown. */
  seen?: string[];
  /** When the last page was seen, and how many in this visit. */
  at?: number;
  pages?: number;
  isReturning?: boolean;
}

/** What was shown in this browser and, if a rule needs it, the pages and visits. */
export interface Memory {
  hasSeen(id: string): boolean;
  see(id: string): void;
  /** Counts a page. Does nothing if no rule needs it. */
  countPage(): void;
  /** Pages seen in this visit; 0 if the browser keeps nothing. */
  readonly pages: number;
  /** Whether the visitor was on the site in an earlier visit. */
  readonly isReturning: boolean;
}

/** Keeps only what belongs to these messages. */
export function createMemory(widgetKey: string, messages: readonly Chosen['proactiveMessages'][number][]): Memory {
  const key = `parley:${widgetKey}:proactive`;
  const isCounting = messages.some(({ minPages, visitor }) => minPages ?? visitor);
  /** Of this page, for a browser that keeps nothing. */
  const seenHere: string[] = [];
  const read = () => {
    try {
      return (JSON.parse(localStorage.getItem(key)!) as Kept | null) ?? {};
    } catch {
      return {};
    }
  };
  const write = (change: Kept) => {
    try {
      localStorage.setItem(key, JSON.stringify({ ...read(), ...change }));
    } catch {
      // The browser keeps nothing: rules that count don't hold.
    }
  };
  const seen = () => [read().seen ?? [], seenHere].flat();
  return {
    hasSeen: (id) => seen().includes(id),
    see(id) {
      seenHere.push(id);
      write({ seen: seen().filter((one, at, all) => all.indexOf(one) === at && messages.some((m) => m.id === one)) });
    },
    countPage() {
      if (!isCounting) return;
      const { at, pages = 0, isReturning } = read();
      const now = Date.now();
      const isSame = at !== undefined && now - at < VISIT_MS;
      write({
        at: now,
        pages: isSame ? Math.min(pages + 1, MAX_PAGES) : 1,
        isReturning: isReturning || (at !== undefined && !isSame),
      });
    },
    get pages() {
      return read().pages ?? 0;
    },
    get isReturning() {
      return !!read().isReturning;
    },
  };
}
