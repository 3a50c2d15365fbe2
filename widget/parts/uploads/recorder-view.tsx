import { useEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import type { FileWords } from '../../../headless/file-words/en.js';
import { usePanel } from '../../panel/lib/context.js';
import { timeWords } from '../../../headless/files/kinds.js';
import { returnFocus } from './chooser.js';
import { type Recording, startRecording } from './recorder.js';

/** A recording ends by itself after this time, in milliseconds. */
const MAX_MS = 10 * 60_000;

interface RecorderProps {
  words: FileWords;
  /** Without a file, the visitor has thrown it away. */
  onDone: (file?: File) => void;
  onFailure: () => void;
}

/** Records a voice message while it's shown. */
export function Recorder({ words, onDone, onFailure }: RecorderProps) {
  const { strings } = usePanel();
  const place = useRef<HTMLDivElement>(null);
  const stop = useRef<HTMLButtonElement>(null);
  const recording = useRef<Recording>(undefined);
  const [startedAt, setStart] = useState<number>();
  const [now, tick] = useState(0);
  useEffect(() => {
    let isGone = false;
    startRecording(words.voice).then(
      (started) => {
        if (isGone) return void started.end(false);
        recording.current = started;
        setStart(Date.now());
      },
      () => isGone || onFailure(),
    );
    return () => {
      isGone = true;
      void recording.current?.end(false);
    };
  }, []);
  useEffect(() => {
    if (startedAt === undefined) return undefined;
    stop.current?.focus();
    tick(Date.now());
    const timer = setInterval(() => tick(Date.now()), 500);
    return () => clearInterval(timer);
  }, [startedAt]);
  const end = (isWanted: boolean) => {
    const ending = recording.current;
    recording.current = undefined;
    returnFocus(place.current!);
    if (!ending) return onDone();
    void ending.end(isWanted).then(onDone);
  };
  const took = startedAt === undefined ? 0 : Math.max(0, now - startedAt);
  useEffect(() => {
    if (took >= MAX_MS) end(true);
  }, [took >= MAX_MS]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    end(false);
  };
  return (
    <div class="recorder" ref={place} role="group" aria-label={words.record} onKeyDown={onKeyDown}>
      <i class={startedAt === undefined ? '' : 'live'} aria-hidden="true" />
      <span class="took">{fill(words.recording, { time: timeWords(took / 1_000) })}</span>
      <button type="button" class="text" onClick={() => end(false)}>
        {strings.cancel}
      </button>
      <button type="button" class="choice" ref={stop} disabled={startedAt === undefined} onClick={() => end(true)}>
        {words.stop}
      </button>
    </div>
  );
}
