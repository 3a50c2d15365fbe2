import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../text.js';
import type { MessageFile } from '../../types.js';
import { Card, CROSS, Drawing } from './card.js';
import { useFresh } from './fresh.js';
import type { FileKit } from './kit.js';

interface ViewerProps {
  first: MessageFile;
  /** All that the keys go through. */
  pictures: readonly MessageFile[];
  kit: FileKit;
  onClose: () => void;
  /** What the page shows over everything. */
  children?: ComponentChildren;
}

/** Pictures, one over the whole page. The browser's dialog returns the focus, and closes on Escape. */
export function Viewer({ first, pictures, kit, onClose, children }: ViewerProps) {
  const { words, strings } = kit;
  const dialog = useRef<HTMLDialogElement>(null);
  const [id, show] = useState(first.id);
  const index = pictures.findIndex((picture) => picture.id === id);
  const file = pictures[index] ?? first;
  useLayoutEffect(() => dialog.current!.showModal(), []);
  const go = (step: number) => {
    const next = pictures[index + step];
    if (index >= 0 && next) show(next.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    // The panel closes on Escape, too. The page has keys of its own.
    if (/^(Escape|Arrow|Home|End|Tab)/.test(key)) event.stopPropagation();
    const ahead = getComputedStyle(dialog.current!).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    if (key.startsWith('Arrow')) go(key === ahead || key === 'ArrowDown' ? 1 : -1);
    if (key === 'Home') go(-index);
    if (key === 'End') go(pictures.length - 1 - index);
    if (key === 'Tab') keepInside(dialog.current!, event);
  };
  const position = words && index >= 0 ? fill(words.position, { index: index + 1, count: pictures.length }) : '';
  return (
    <dialog
      ref={dialog}
      class="viewer"
      aria-label={file.name}
      onClose={onClose}
      onKeyDown={onKeyDown}
      onClick={({ target }) => (target as Element).matches('dialog, .stage') && dialog.current!.close()}
    >
      <div class="head">
        <Card file={file} kit={kit} />
        <span role="status">{pictures.length > 1 && position}</span>
        <button
          type="button"
          class="button quiet round close"
          aria-label={strings.closeImage}
          onClick={() => dialog.current!.close()}
        >
          <Drawing path={CROSS} />
        </button>
      </div>
      <div class="stage">
        <Shown key={file.id} file={file} kit={kit} />
      </div>
      {pictures.length > 1 && (
        <div class="viewer-steps">
          <Step label={words?.previous} isOver={index <= 0} onClick={() => go(-1)} path="m15 5-7 7 7 7" />
          <Step label={words?.next} isOver={index === pictures.length - 1} onClick={() => go(1)} path="m9 5 7 7-7 7" />
        </div>
      )}
      {children}
    </dialog>
  );
}

function Shown({ file, kit }: { file: MessageFile; kit: FileKit }) {
  const { url, isBroken, onError } = useFresh(file, kit);
  if (isBroken) return <p>{kit.words?.notShown}</p>;
  const { name, width, height } = file;
  return <img src={url} alt={name} width={width} height={height} referrerpolicy="no-referrer" onError={onError} />;
}

interface StepProps {
  label: string | undefined;
  isOver: boolean;
  onClick: () => void;
  path: string;
}

// `aria-disabled`, because `disabled` would take the focus from the button that was just pressed.
function Step({ label = '', isOver, onClick, path }: StepProps) {
  return (
    <button type="button" class="button quiet round" aria-label={label} aria-disabled={isOver} onClick={onClick}>
      <Drawing path={path} />
    </button>
  );
}

/** The browser lets Tab leave a dialog for its own bars. */
function keepInside(dialog: HTMLElement, event: KeyboardEvent): void {
  const all = [...dialog.querySelectorAll<HTMLElement>('button, a')];
  const ends = event.shiftKey ? [all.at(-1), all[0]] : [all[0], all.at(-1)];
  if ((dialog.getRootNode() as ShadowRoot).activeElement !== ends[1]) return;
  event.preventDefault();
  ends[0]?.focus();
}
