import type { MessageFile } from '../../types.js';
import { kindOf, picturesOf, timeWords } from '../kinds.js';
import { Card } from './card.js';
import { useFresh } from './fresh.js';
import type { FileKit } from './kit.js';

/** The longest sides of a picture in the conversation, in pixels. */
const MAX_WIDTH = 260;
const MAX_HEIGHT = 320;

interface FilesProps {
  files: readonly MessageFile[];
  kit: FileKit;
  /** A click on a picture. */
  onOpen: (file: MessageFile) => void;
}

/** A message's files: pictures that a click enlarges, players, and cards. */
export function FileList({ files, kit, onOpen }: FilesProps) {
  const pictures = picturesOf(files);
  return (
    <div class="files">
      {pictures[0] && (
        <div class={`shots ${pictures[1] ? 'several' : ''}`}>
          {pictures.map((file) => (
            <Thumbnail key={file.id} file={file} kit={kit} onOpen={() => onOpen(file)} />
          ))}
        </div>
      )}
      {files.map((file) => {
        const kind = kindOf(file);
        if (kind === 'picture') return null;
        const View = kind === 'card' ? Card : Player;
        return <View key={file.id} file={file} kit={kit} />;
      })}
    </div>
  );
}

/** Has its place before it's loaded. */
function Thumbnail({ file, kit, onOpen }: { file: MessageFile; kit: FileKit; onOpen: () => void }) {
  const { url, isBroken, onError } = useFresh(file, kit);
  const { width = 1, height = 1, name } = file;
  const scale = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height);
  if (isBroken) return <Card file={file} kit={kit} />;
  return (
    <button type="button" class="shot" aria-haspopup="dialog" title={name} onClick={onOpen}>
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

function Player({ file, kit }: { file: MessageFile; kit: FileKit }) {
  const { url, isBroken, onError } = useFresh(file, kit);
  const { name, durationSeconds } = file;
  if (isBroken) return <Card file={file} kit={kit} />;
  const given = { src: url, controls: true, 'aria-label': name, onError };
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
