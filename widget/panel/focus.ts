/** A touch that opens the panel should not open the keyboard, too. */
export const isTouch = (): boolean => matchMedia('(pointer: coarse)').matches;

/** Gives the focus a place before what has it goes away. */
export function focusComposer(from: HTMLElement): void {
  const panel = from.closest<HTMLElement>('.panel');
  panel?.querySelector<HTMLElement>(isTouch() ? 'h2' : 'textarea')?.focus();
}

/** Keeps Tab within the panel, where it is all that one sees. */
export function keepFocus(panel: HTMLElement, event: KeyboardEvent): void {
  const all = [...panel.querySelectorAll<HTMLElement>('button, a[href], textarea, [tabindex="0"]')].filter(
    (element) => !(element as HTMLButtonElement).disabled && element.offsetParent,
  );
  const edge = event.shiftKey ? all[0] : all.at(-1);
  const focused = (panel.getRootNode() as ShadowRoot).activeElement;
  if (focused !== edge && focused?.id !== 'title') return;
  if (focused?.id === 'title' && !event.shiftKey) return;
  event.preventDefault();
  (event.shiftKey ? all.at(-1) : all[0])?.focus();
}
