/** When a text field was last removed while it had the focus, as an event's `timeStamp`. */
let goneAt = -Infinity;

export function noteGoneField(): void {
  goneAt = performance.now();
}

/** How long ago a text field was removed while it had the focus, in milliseconds. */
export function goneFor({ timeStamp }: Event): number {
  return timeStamp - goneAt;
}
