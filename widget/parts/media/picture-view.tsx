import { useState } from 'preact/hooks';
import { usePanel } from '../../panel/lib/context.js';
import type { Picture } from '../../../headless/picture.js';
import { Linked } from '../../panel/rich.js';

/** A picture in the conversation. A click enlarges it. */
export function PictureView({ picture }: { picture: Picture }) {
  const { strings, enlarge } = usePanel();
  const [isBroken, setBroken] = useState(false);
  const { src, alt, width, height, caption } = picture;
  if (isBroken) {
    return (
      <div class="bubble broken">
        {strings.imageFailed}{' '}
        <a href={src} target="_blank" rel="noopener noreferrer nofollow ugc">
          {src}
        </a>
      </div>
    );
  }
  return (
    <>
      <button class="picture" aria-haspopup="dialog" onClick={() => enlarge(picture)}>
        <img
          class={width ? '' : 'unsized'}
          src={src}
          alt={alt}
          width={width}
          height={height}
          loading="lazy"
          decoding="async"
          referrerpolicy="no-referrer"
          onError={() => setBroken(true)}
        />
      </button>
      {caption && (
        <div class="bubble" dir="auto">
          <Linked text={caption} />
        </div>
      )}
    </>
  );
}
