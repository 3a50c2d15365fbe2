/** A ref for a list of options: marks one that scrolls. */
export function markLong(list: HTMLElement | null): void {
  list?.classList.toggle('long', list.scrollHeight > list.clientHeight);
}
