import { useState } from 'preact/hooks';
import type { Message, MessageFile } from '../../client/types.js';
import { usePanel } from '../../panel/lib/context.js';
import { Card } from './card.js';
import { useFresh } from './fresh.js';
import { kindOf, timeWords } from './kinds.js';
import { Viewer } from './viewer.js';

export { default as styles } from './styles.css?inline';

/** The longest sides of a picture in the conversation, in pixels. */
const MAX_WIDTH = 260;
const MAX_HEIGHT = 320;

/** A message's files: pictures that a click enlarges, players, and cards. */
export function Files({ message }: { message: Message }) {
  const files = message.files ?? [];
  const [shown, show] = useState<MessageFile>();
  const pictures = files.filter((file) => kindOf(file) === 'picture');
  return (
    <div class="files">
      {pictures[0] && (
        <div class={`pictures ${pictures[1] ? 'several' : ''}`}>
          {pictures.map((file) => (
            <Thumbnail key={file.id} file={file} onOpen={() => show(file)} />
          ))}
        </div>
      )}
      {files.map((file) => {
        const kind = kindOf(file);
        if (kind === 'picture') return null;
        return kind === 'card' ? <Card key={file.id} file={file} /> : <Player key={file.id} file={file} />;
      })}
      {shown && <Viewer first={shown} onClose={() => show(undefined)} />}
    </div>
  );
}

/** Has its place before it's loaded. */
function Thumbnail({ file, onOpen }: { file: MessageFile; onOpen: () => void }) {
  const { url, isBroken, onError } = useFresh(file);
  const { width = 1, height = 1, name } = file;
  const scale = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height);
  if (isBroken) return <Card file={file} />;
  return (
    <button class="shot" aria-haspopup="dialog" title={name} onClick={onOpen}>
      <img
        src={url}
        alt={name}
        width={Math.max(1, Math.round(width * scale))}
        height={Math.max(1, Math.round(height * scale))}
        loading="lazy"
        decoding="async"
        referrerpolicy="no-referrer"
        onError={onError}
      />
    </button>
  );
}

function Player({ file }: { file: MessageFile }) {
  const { strings } = usePanel();
  const { url, isBroken, onError } = useFresh(file);
  const { name, durationSeconds } = file;
  if (isBroken) return <Card file={file} />;
  const given = { src: url, controls: true, 'aria-label': name || strings.message, onError };
  return (
    <figure class="player">
      {kindOf(file) === 'video' ? (
        <video {...given} preload="metadata" playsInline />
      ) : (
        <audio {...given} preload="none" />
      )}
      <figcaption>
        <bdi>{name}</bdi>
        {durationSeconds !== undefined && ' · '}
        {durationSeconds !== undefined && <bdi>{timeWords(durationSeconds)}</bdi>}
      </figcaption>
    </figure>
  );
}
