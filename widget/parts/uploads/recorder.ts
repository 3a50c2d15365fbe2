/** Enough for speech, in bits per second. */
const BITRATE = 32_000;
/** The first that the browser can record: every browser plays the first, and most the second. */
const TYPES = ['audio/mp4;codecs=mp4a.40.2', 'audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'];
const EXTENSIONS: Record<string, string> = { 'audio/mp4': 'm4a', 'audio/webm': 'weba', 'audio/ogg': 'ogg' };

/** A voice message that is being recorded. */
export interface Recording {
  /** Ends it. @param isWanted false throws it away; then undefined is returned */
  end(isWanted: boolean): Promise<File | undefined>;
}

/** Whether the page can record: it needs https, and a browser that can. */
export function canRecord(): boolean {
  return typeof MediaRecorder !== 'undefined' && !!(navigator.mediaDevices as MediaDevices | undefined)?.getUserMedia;
}

/** Asks for the microphone, and records. Rejects if the visitor or the page doesn't allow it, or there is none. */
export async function startRecording(name: string): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const release = () => stream.getTracks().forEach((track) => track.stop());
  try {
    const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
    const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: BITRATE });
    const parts: Blob[] = [];
    const isOver = new Promise<void>((resolve) => (recorder.onstop = () => resolve()));
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.start();
    return {
      end: async (isWanted) => {
        if (recorder.state !== 'inactive') recorder.stop();
        await isOver;
        release();
        const type = recorder.mimeType.split(';')[0]!;
        return isWanted ? new File(parts, `${name}.${EXTENSIONS[type] ?? 'webm'}`, { type }) : undefined;
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}
