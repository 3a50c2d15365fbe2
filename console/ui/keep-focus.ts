import { noteGoneField } from '../lib/gone-field.js';

/** What Tab reaches. */
const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex="0"]';

/**
 * Where the focus goes if nothing is near its place: the open chat's row, the list, the chat on a narrow screen, the first field of a page
 * before the inbox, or the heading.
 */
const USUAL = ['.row[aria-current=true]', '.rows', '.chat-head button', '.welcome [autofocus]', 'main h1'];

/** The parts of a page where the focus stays near its place. */
const SCOPE = '.page-body, dialog[open]';

/** The focused element, or the one that had the focus until it was removed or disabled. */
let last: Element | null = null;

/**
 * Keeps the focus near its place when the focused element is removed or disabled. Otherwise, keys and screen readers would start again at the
 * top of the page. Call this once.
 */
export function keepFocus(): void {
  last = focused();
  addEventListener('focusin', ({ target }) => (last = target as Element));
  // A click on the page itself takes the focus away on purpose.
  addEventListener('pointerup', () => (last = focused()), { capture: true });
  const options = { subtree: true, childList: true, attributeFilter: ['disabled'] };
  new MutationObserver(onChange).observe(document.body, options);
}

function focused(): Element | null {
  return document.activeElement === document.body ? null : document.activeElement;
}

function onChange(records: MutationRecord[]): void {
  if (!last || (focused() && last.isConnected)) return;
  if (!last.isConnected) {
    // Further typing goes nowhere, instead of into another field or to a button.
    const isTyping = last.matches('.composer textarea, input.chat-title');
    if (isTyping) noteGoneField();
    if (focused() || (!isTyping && focusNear(last, records)) || USUAL.some((selector) => focusIn(document, selector)))
      last = focused();
    return;
  }
  // It was moved, or is enabled again.
  if (records.some(({ target, addedNodes }) => target === last || [...addedNodes].some((node) => node.contains(last))))
    focus(last);
}

/** Focuses what follows the place of a removed element, or precedes it, in the smallest part of the page that has anything. */
function focusNear(removed: Element, records: readonly MutationRecord[]): boolean {
  let [place, next, before]: (Node | null)[] = [removed, null, null];
  for (const { target, removedNodes, nextSibling, previousSibling } of records) {
    if ([...removedNodes].some((node) => node.contains(place!)))
      [place, next, before] = [target, nextSibling, previousSibling];
  }
  const scope = place instanceof Element && place.isConnected ? place.closest(SCOPE) : null;
  while (scope && place) {
    for (let node = next; node; node = node.nextSibling) if (focusFirst(node)) return true;
    for (let node = before; node; node = node.previousSibling) if (focusFirst(lastItem(node))) return true;
    if (place === scope) return false;
    [next, before, place] = [place.nextSibling, place.previousSibling, place.parentNode];
  }
  return false;
}

/** The last item of a list. */
function lastItem(node: Node): Node {
  return node instanceof Element && node.matches('ul') ? (node.lastElementChild ?? node) : node;
}

function focusFirst(node: Node): boolean {
  return node instanceof Element && ((node.matches(FOCUSABLE) && focus(node)) || focusIn(node, FOCUSABLE));
}

function focusIn(part: ParentNode, selector: string): boolean {
  return [...part.querySelectorAll(selector)].some(focus);
}

/** Returns whether the element took the focus: it may be hidden. */
function focus(element: Element): boolean {
  (element as HTMLElement).focus({ preventScroll: element.matches('.row, .rows') });
  return document.activeElement === element;
}
