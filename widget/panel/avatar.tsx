import { useState } from 'preact/hooks';
import type { Host } from '../types.js';

interface AvatarProps {
  name: string;
  url?: string | null;
  /** Draws the picture of a bot. */
  face?: Host['face'] | false;
}

/** A person's picture, or the first letter of the name. Both are decoration next to the name. */
export function Avatar({ name, url, face }: AvatarProps) {
  const [broken, setBroken] = useState('');
  return (
    <span class="avatar" aria-hidden="true">
      {face ? (
        <canvas ref={face} />
      ) : url && url !== broken ? (
        <img src={url} alt="" referrerpolicy="no-referrer" onError={() => setBroken(url)} />
      ) : (
        [...name][0]!.toLocaleUpperCase()
      )}
    </span>
  );
}
