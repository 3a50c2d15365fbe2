import type { ComponentChildren } from 'preact';
import { colorOf } from '../../state/tags.js';
import { Name } from './rich.js';

/** A tag in its color. */
export function Tag({ name, color = colorOf(name), children }: TagProps) {
  return (
    <span class="tag" style={color ? { '--tag': color } : undefined}>
      <Name name={name} />
      {children}
    </span>
  );
}

interface TagProps {
  name: string;
  /** Default: as the service says. */
  color?: string | null;
  children?: ComponentChildren;
}

/** The most tags in a row of a list. */
const MAX_SHOWN = 2;

/** The tags of a row. A node of the previous release sends none. */
export function RowTags({ tags = [] }: { tags?: readonly string[] }) {
  const more = tags.length - MAX_SHOWN;
  return (
    <>
      {tags.slice(0, MAX_SHOWN).map((name) => (
        <Tag key={name} name={name} />
      ))}
      {more > 0 && <span title={tags.slice(MAX_SHOWN).join(', ')}>+{more}</span>}
    </>
  );
}
