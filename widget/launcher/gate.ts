import { afterNow } from './guard.js';

type TransferEvent = DragEvent & ClipboardEvent;

/**
 * Events that stay in the chat. A page's listeners see the chat's element as their target, and not the text field in it, so shortcuts,
 * focus traps, scrollers, and copy protection would act on them. The page gets clicks and pointer events, which analytics and menus need.
 */
const KEPT =
  'focus focusin focusout keydown keyup keypress beforeinput textInput mousedown mouseup touchstart touchmove touchend wheel ' +
  'copy cut paste selectstart contextmenu dragstart';
/** The same for events with listeners inside, or without harm on their way there: they're stopped at the shadow root. */
const KEPT_LATE = 'input compositionstart compositionupdate compositionend dblclick dragenter dragover dragleave drop';
/** How often the focus returns after one action of the visitor, on a page that takes it again each time. */
const MAX_RETURNS = 5;

/** Keeps the events in `mount` from the page, and the focus in the text field that the visitor writes in. The button keeps only its own keys. */
export function keepEvents(host: HTMLElement, root: ShadowRoot, mount: HTMLElement): void {
  /** The text field that the focus is leaving. A microtask clears it: only a script moves the focus within one task. */
  let left: HTMLElement | undefined;
  let isReturning = false;
  let returns = 0;
  /** Whether the visitor pointed at the page last. */
  let isElsewhere = false;
  let hasArrived = false;
  /** By the key's code, or for the mouse: whether what is pressed was kept from the page, which otherwise learns of its release too. */
  const isDown: Record<string, boolean> = {};

  const on = (target: EventTarget, names: string, listener: (event: Event) => unknown, capture = true) => {
    for (const name of names.split(' '))
      target.addEventListener(name, listener, { capture, passive: /^[tw]/.test(name) });
  };
  const act = ({ target }: Event) => {
    isElsewhere = target !== host;
    returns = 0;
  };
  const onFocus = ({ type, target }: Event, inside: Element) => {
    if (type === 'focusout' && target === host && inside.matches('input, textarea')) {
      left = inside as HTMLElement;
      void afterNow(() => (left = undefined));
    } else if (type === 'focusin' && target !== host && left && !isElsewhere && returns++ < MAX_RETURNS) {
      const field = left;
      void afterNow(() => {
        isReturning = true;
        field.focus();
        isReturning = false;
      });
    }
  };

  // Shortcuts and barcode scanners leave such elements alone.
  Object.defineProperty(host, 'isContentEditable', { get: () => mount.contains(root.activeElement) });
  // At the window, because traps listen to the document before an event arrives at its target.
  on(window, KEPT, (event) => {
    const { type, target, code, key, repeat } = event as KeyboardEvent;
    const inside = event.composedPath()[0] as Element;
    // The button keeps Enter and Space, which click it.
    let isOurs = target === host && (!key?.trim() || key === 'Enter' || mount.contains(inside));
    if (/up/.test(type)) isOurs &&= isDown[code]!;
    else if (/down/.test(type) && !repeat) isDown[code] = isOurs;
    if (type.startsWith('f')) onFocus(event, inside);
    if (isOurs || isReturning) event.stopImmediatePropagation();
    if (!isOurs) return;
    if (type === 'paste') takeFiles(event as TransferEvent, root);
    if (type !== 'keydown') return;
    act(event);
    copyKey(event as KeyboardEvent, inside);
  });
  on(window, 'blur', (event) => isReturning && event.stopImmediatePropagation());
  on(window, 'pointerdown', act);
  on(window, 'click', (event) => {
    if (event.target !== host) return;
    const inside = event.composedPath()[0]!;
    hasArrived = false;
    setTimeout(() => {
      if (hasArrived) return;
      // The page has swallowed it. What the browser does by itself is done, unless the page prevented that.
      const again = new MouseEvent('click', { bubbles: true, cancelable: true });
      if (!event.defaultPrevented) again.preventDefault();
      inside.dispatchEvent(again);
    });
  });
  on(root, 'click', () => (hasArrived = true));
  on(
    root,
    KEPT_LATE,
    (event) => {
      event.stopPropagation();
      takeFiles(event as TransferEvent, root);
    },
    false,
  );
}

/** Gives the chat's own listeners a copy that ends at the shadow root. What they prevent doesn't happen. */
function copyKey(event: KeyboardEvent, inside: Element): void {
  const copy = new Proxy(event, { get: (all, name) => name !== 'composed' && all[name as 'key'] });
  if (!inside.dispatchEvent(new KeyboardEvent('keydown', copy))) event.preventDefault();
}

/** Keeps a file from opening instead of the page, and says at the shadow root that one was dropped or pasted. */
function takeFiles(event: TransferEvent, root: ShadowRoot): void {
  const data = event.clipboardData ?? event.dataTransfer;
  // Office programs copy a picture beside the text.
  if (!data?.types.includes('Files') || data.types.includes('text/plain')) return;
  event.preventDefault();
  if (/^(paste|drop)$/.test(event.type)) root.dispatchEvent(new CustomEvent('files', { detail: data.files }));
}
