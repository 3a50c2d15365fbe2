import { useState } from 'preact/hooks';

/** A person's picture, or the first letter of the name. Both are decoration next to the name. */
export function Avatar({ name, url }: { name: string; url?: string | null }) {
  const [broken, setBroken] = useState('');
  return (
    <span class="avatar" aria-hidden="true">
      {url && url !== broken ? (
        <img src={url} alt="" referrerpolicy="no-referrer" onError={() => setBroken(url)} />
      ) : (
        [...name][0]!.toLocaleUpperCase()
      )}
    </span>
  );
}
