import { useState } from 'preact/hooks';

/** The picture of a person, else the first letter of a name. Both are decoration: the name stands beside them. */
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
