/**
 * Puts the focus where one goes on: when the panel opens, and before what has the focus goes away.
 * @param inside any element of the panel, or the panel
 */
export function focusPanel(inside: Element): void {
  const panel = inside.closest('.panel')!;
  // A touch should not open the keyboard, too.
  const field = matchMedia('(pointer: coarse)').matches ? null : panel.querySelector('textarea');
  (field ?? panel.querySelector('h2')!).focus();
}

/** Keeps Tab within the panel, where it is all that one sees. */
export function keepFocus(panel: HTMLElement, event: KeyboardEvent): void {
  const all = panel.querySelectorAll<HTMLElement>('button:enabled, a[href], textarea, [tabindex="0"]');
  const ends = [all[0], all[all.length - 1]];
  if (event.shiftKey) ends.reverse();
  // From the title, which Tab leaves out, there is only a way forth.
  const focused = (panel.getRootNode() as ShadowRoot).activeElement;
  if (focused !== ends[1] && !(event.shiftKey && focused?.id === 'title')) return;
  event.preventDefault();
  ends[0]?.focus();
}
