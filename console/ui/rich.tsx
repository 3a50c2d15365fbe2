import { linkify } from '../../headless/links.js';

/** A text with its links. Everything else in it is text. */
export function Linked({ text }: { text: string }) {
  return (
    <>
      {linkify(text).map(({ text: piece, href }) =>
        href ? (
          <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
            {piece}
          </a>
        ) : (
          piece
        ),
      )}
    </>
  );
}

/** Keys as they stand on the keyboard. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span class="keys">
      {keys.split(' ').map((key) => (
        <kbd>{key}</kbd>
      ))}
    </span>
  );
}
