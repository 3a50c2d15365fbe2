/**
 * Moves the focus to the text field: when the panel opens, and before the focused element is removed.
 * @param inside the panel, or any element in it
 */
export function focusPanel(inside: Element): void {
  const panel = inside.closest('.panel')!;
  // On a touch screen the focus would open the keyboard: it moves to the title instead.
  const field = matchMedia('(pointer: coarse)').matches
    ? null
    : panel.querySelector<HTMLElement>('.asks [name], .field textarea');
  if (field) field.focus();
  else focusTitle(panel);
}

/** Moves the focus to the title, where nothing else is left. */
export function focusTitle(inside: Element): void {
  inside.closest('.panel')!.querySelector('h2')!.focus();
}

/** Keeps Tab within the panel, where the panel covers the page. */
export function keepFocus(panel: HTMLElement, event: KeyboardEvent): void {
  const all = panel.querySelectorAll<HTMLElement>('button:enabled, a[href], textarea, [tabindex="0"]');
  // A form before the first message hides the composer.
  const shown = Array.from(all).filter((element) => element.offsetParent);
  const ends = [shown[0], shown.at(-1)];
  if (event.shiftKey) ends.reverse();
  // The title has the focus but no place in the order of Tab: Shift+Tab goes to the last element.
  const focused = (panel.getRootNode() as ShadowRoot).activeElement;
  if (focused !== ends[1] && !(event.shiftKey && focused?.id === 'title')) return;
  event.preventDefault();
  ends[0]?.focus();
}
