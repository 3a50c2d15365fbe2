/** When a field for words was last removed while it had the focus, as an event's `timeStamp`. */
let goneAt = -Infinity;

export function noteGoneField(): void {
  goneAt = performance.now();
}

/** For how long a field for words has been gone that had the focus until then, in milliseconds. */
export function goneFor({ timeStamp }: Event): number {
  return timeStamp - goneAt;
}
