import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../panel/icon.js';
import { usePanel } from '../../panel/lib/context.js';
import type { Picture } from '../../../headless/picture.js';

/** A picture over the whole page. The browser's dialog keeps the focus, returns it, and closes on Escape. */
export function Lightbox({ picture, onClose }: { picture: Picture; onClose: () => void }) {
  const { strings } = usePanel();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current!.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="lightbox"
      aria-label={picture.alt}
      onClose={onClose}
      onClick={() => dialog.current!.close()}
    >
      <img src={picture.src} alt={picture.alt} referrerpolicy="no-referrer" />
      <button class="round close" aria-label={strings.closeImage}>
        <Icon name="close" />
      </button>
    </dialog>
  );
}
