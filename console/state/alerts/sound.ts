import { signal } from '@preact/signals';
import { onceInBrowser } from '../../lib/once.js';
import { ownName } from '../../lib/service.js';

const SOUND_KEY = ownName('console:sound');
/** The minimum time between two sounds. */
const MIN_SILENCE_MS = 1_500;

/** Whether alerts make a sound, as far as the browser allows it. */
export const wantsSound = signal(readWish());
/** Whether the browser lets this page make a sound: not before the first click or key. */
export const isSoundAllowed = signal(false);

let audio: AudioContext | null = null;

/** Requests sound from the browser with each click and key. Call this once. */
export function keepSound(): void {
  addEventListener('storage', ({ key }) => {
    if (key === SOUND_KEY) wantsSound.value = readWish();
  });
  for (const gesture of ['pointerdown', 'keydown'])
    addEventListener(gesture, () => void allowSound(), { capture: true });
}

export function setSound(wanted: boolean): void {
  wantsSound.value = wanted;
  try {
    localStorage.setItem(SOUND_KEY, wanted ? 'on' : 'off');
  } catch {
    // The choice holds as long as the page.
  }
  if (wanted) chime();
}

/** Plays a sound in one tab, if it's enabled and allowed, and not soon after another. */
export function sound(): void {
  if (wantsSound.value && audio?.state === 'running') void onceInBrowser(ownName('sound'), MIN_SILENCE_MS, chime);
}

/** Requests sound from the browser. Call this from a click or a key. */
export async function allowSound(): Promise<void> {
  audio ??= new AudioContext();
  await audio.resume();
  isSoundAllowed.value = audio.state === 'running';
}

/** Two soft tones. */
function chime(): void {
  if (audio?.state !== 'running') return;
  [660, 880].forEach((pitch, index) => {
    const begins = audio!.currentTime + index * 0.16;
    const tone = new OscillatorNode(audio!, { frequency: pitch });
    const volume = new GainNode(audio!, { gain: 0 });
    volume.gain.setValueAtTime(0, begins);
    volume.gain.linearRampToValueAtTime(0.12, begins + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, begins + 0.35);
    tone.connect(volume).connect(audio!.destination);
    tone.start(begins);
    tone.stop(begins + 0.4);
  });
}

function readWish(): boolean {
  try {
    return localStorage.getItem(SOUND_KEY) !== 'off';
  } catch {
    return true;
  }
}
