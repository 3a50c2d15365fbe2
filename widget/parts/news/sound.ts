const KEY = 'parley:sound';

/** Plays two short notes for a message: once in all tabs, and only where the visitor has touched the page before. */
export function playSound(messageId: string): void {
  if (!navigator.userActivation?.hasBeenActive || isPlayed(messageId)) return;
  const context = new AudioContext();
  const volume = new GainNode(context, { gain: 0 });
  volume.connect(context.destination);
  const from = context.currentTime;
  for (const [at, frequency] of [
    [0, 660],
    [0.12, 880],
  ] as const) {
    const note = new OscillatorNode(context, { frequency });
    note.connect(volume);
    note.start(from + at);
    note.stop(from + at + 0.12);
    volume.gain.linearRampToValueAtTime(0.08, from + at + 0.02);
    volume.gain.linearRampToValueAtTime(0, from + at + 0.12);
    note.onended = () => void (at > 0 && context.close());
  }
}

/** Whether another tab has played it. */
function isPlayed(messageId: string): boolean {
  try {
    if (localStorage.getItem(KEY) === messageId) return true;
    localStorage.setItem(KEY, messageId);
  } catch {
    // Without storage every tab plays it.
  }
  return false;
}
