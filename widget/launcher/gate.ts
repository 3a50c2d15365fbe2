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

const isTransfer = (event: Event): event is DragEvent & ClipboardEvent => /^(paste|dragover|drop)$/.test(event.type);

/** Keeps the chat's events from the page, and the focus in the text field that the visitor writes in. */
export function keepEvents(host: HTMLElement, root: ShadowRoot): void {
  /** The text field that the focus is leaving. A microtask clears it: only a script moves the focus within one task. */
  let left: HTMLElement | undefined;
  let isReturning = false;
  let returns = 0;
  /** Whether the visitor pointed at the page last. */
  let isElsewhere = false;
  let hasArrived = false;

  const on = (target: EventTarget, names: string, listener: (event: Event) => unknown, capture = true) => {
    for (const name of names.split(' '))
      target.addEventListener(name, listener, { capture, passive: /^[tw]/.test(name) });
  };
  const act = () => {
    isElsewhere = false;
    returns = 0;
  };
  const onFocus = ({ type, target }: Event, inside: EventTarget) => {
    if (type === 'focusout' && target === host && inside instanceof Element && inside.matches('input, textarea')) {
      left = inside as HTMLElement;
      void Promise.resolve().then(() => (left = undefined));
    } else if (type === 'focusin' && target !== host && left && !isElsewhere && returns++ < MAX_RETURNS) {
      const field = left;
      void Promise.resolve().then(() => {
        isReturning = true;
        field.focus();
        isReturning = false;
      });
    }
  };

  // Shortcuts and barcode scanners leave such elements alone.
  Object.defineProperty(host, 'isContentEditable', { value: true });
  // At the window, because traps listen to the document before an event arrives at its target.
  on(window, KEPT, (event) => {
    const { type, target } = event;
    const inside = event.composedPath()[0]!;
    const isOurs = target === host;
    if (type.startsWith('focus')) onFocus(event, inside);
    if (isOurs || (isReturning && type.startsWith('focus'))) event.stopImmediatePropagation();
    if (!isOurs) return;
    if (type === 'keydown') copyKey(event as KeyboardEvent, inside, act);
    if (isTransfer(event)) takeFiles(event, root, event.clipboardData);
  });
  on(window, 'blur', (event) => isReturning && event.stopImmediatePropagation());
  on(window, 'pointerdown', ({ target }) => (target === host ? act() : (isElsewhere = true)));
  on(window, 'click', (event) => {
    if (event.target !== host) return;
    const inside = event.composedPath()[0]!;
    hasArrived = false;
    // A trap has swallowed it.
    setTimeout(() => hasArrived || inside.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true })));
  });
  on(root, 'click', () => (hasArrived = true));
  on(
    root,
    KEPT_LATE,
    (event) => {
      event.stopPropagation();
      if (isTransfer(event)) takeFiles(event, root, event.dataTransfer);
    },
    false,
  );
}

/** Gives the chat's own listeners a copy that ends at the shadow root. What they prevent doesn't happen. */
function copyKey(event: KeyboardEvent, inside: EventTarget, act: () => void): void {
  act();
  const { key, keyCode, shiftKey, ctrlKey, altKey, metaKey, isComposing } = event;
  const copy = { key, keyCode, shiftKey, ctrlKey, altKey, metaKey, isComposing, bubbles: true, cancelable: true };
  if (!inside.dispatchEvent(new KeyboardEvent('keydown', copy))) event.preventDefault();
}

/** Keeps a file from opening instead of the page, and says at the shadow root that one was dropped or pasted. */
function takeFiles(event: Event, root: ShadowRoot, data: DataTransfer | null): void {
  // Office programs copy a picture beside the text.
  if (!data?.types.includes('Files') || data.types.includes('text/plain')) return;
  event.preventDefault();
  if (event.type !== 'dragover') root.dispatchEvent(new CustomEvent('files', { detail: data.files }));
}
