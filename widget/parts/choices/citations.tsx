import { citationsOf } from '../../../headless/citations.js';
import type { Message } from '../../client/types.js';

/** The sources of an answer, numbered. The site of each is shown beside its title, which may say anything. */
export function Citations({ message }: { message: Message }) {
  const citations = citationsOf(message);
  if (citations.length === 0) return null;
  return (
    <ol class="citations">
      {citations.map(({ title, href }) => (
        <li>
          {href ? (
            <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
              <bdi>{title}</bdi>
            </a>
          ) : (
            <bdi>{title}</bdi>
          )}
          {/* The space is outside, or it would be at the wrong end where the languages differ in direction. */}{' '}
          {href && href !== title && <bdi class="site">{new URL(href).host}</bdi>}
        </li>
      ))}
    </ol>
  );
}
