import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FileWords } from '../../../headless/file-words/en.js';
import { usePanel } from '../../panel/lib/context.js';
import { canRecord } from './recorder.js';

const SHEET = 'M6 3h8l5 5v13H6ZM14 3v5h5';
const CAMERA = 'M4 8h3l2-3h6l2 3h3v11H4ZM12 16.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4Z';
const MICROPHONE = 'M12 15a3 3 0 0 0 3-3V6a3 3 0 0 0-6 0v6a3 3 0 0 0 3 3ZM5.5 12a6.5 6.5 0 0 0 13 0M12 18.5V21';

interface ChooserProps {
  words: FileWords;
  onFiles: (files: readonly File[]) => void;
  onRecord: () => void;
  onClose: () => void;
}

/** The ways to add a file: from the device, on a phone by its camera, and by the microphone. */
export function Chooser({ words, onFiles, onRecord, onClose }: ChooserProps) {
  const { strings } = usePanel();
  const group = useRef<HTMLDivElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const photo = useRef<HTMLInputElement>(null);
  const hasCamera = matchMedia('(pointer: coarse)').matches;
  useLayoutEffect(() => group.current!.querySelector('button')!.focus(), []);
  const take = ({ currentTarget: input }: { currentTarget: HTMLInputElement }) => {
    const chosen = [...(input.files ?? [])];
    input.value = '';
    returnFocus(group.current!);
    if (chosen[0]) onFiles(chosen);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    returnFocus(group.current!);
    onClose();
  };
  return (
    <div class="ways" ref={group} role="group" aria-label={strings.attach} onKeyDown={onKeyDown}>
      <Way path={SHEET} label={words.choose} onClick={() => files.current!.click()} />
      {hasCamera && <Way path={CAMERA} label={words.photo} onClick={() => photo.current!.click()} />}
      {canRecord() && <Way path={MICROPHONE} label={words.record} onClick={onRecord} />}
      <input ref={files} type="file" multiple hidden onChange={take} />
      <input ref={photo} type="file" accept="image/*" capture="environment" hidden onChange={take} />
    </div>
  );
}

function Way({ path, label, onClick }: { path: string; label: string; onClick: () => void }) {
  return (
    <button type="button" class="choice way" onClick={onClick}>
      <svg viewBox="0 0 24 24" aria-hidden="true" class="icon">
        <path d={path} />
      </svg>
      {label}
    </button>
  );
}

/** Moves the focus to the paper clip, or to the text field, because the focused element is removed. */
export function returnFocus(inside: Element): void {
  inside.closest('form')!.querySelector<HTMLElement>('[aria-expanded], textarea')!.focus();
}
