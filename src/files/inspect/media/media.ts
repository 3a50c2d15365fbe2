/** What the header of an audio or video file says. */
export interface Media {
  hasAudio: boolean;
  hasVideo: boolean;
  durationSeconds?: number | undefined;
}

/** A longer duration is an error of the file. */
const MAX_SECONDS = 10_000_000;

/** With one decimal (contract 19.1); undefined if the header doesn't tell it. */
export function roundDuration(seconds: number | undefined): number | undefined {
  if (seconds === undefined || !(seconds > 0 && seconds <= MAX_SECONDS)) return undefined;
  return Math.round(seconds * 10) / 10;
}
