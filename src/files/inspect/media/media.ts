/** What the header of an audio or video file says. */
export interface Media {
  hasAudio: boolean;
  hasVideo: boolean;
  durationSeconds?: number | undefined;
}

/** A duration of more seconds than this is taken for an error in the file. */
const MAX_SECONDS = 10_000_000;

/** Rounds seconds to one decimal; undefined if the header has no duration, or an impossible one. */
export function roundDuration(seconds: number | undefined): number | undefined {
  if (seconds === undefined || !(seconds > 0 && seconds <= MAX_SECONDS)) return undefined;
  return Math.round(seconds * 10) / 10;
}
