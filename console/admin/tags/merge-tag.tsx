import { useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { add, readAll, type Tag } from '../api.js';
import { Confirm } from '../parts/confirm.js';
import { Select } from '../parts/filter.js';
import { useReading } from '../parts/reading.js';

/** Gives the chats of a tag another one. */
export function MergeTag({
  tag: { id, name },
  onDone,
  onClose,
}: {
  tag: Tag;
  onDone: () => void;
  onClose: () => void;
}) {
  const text = adminStrings.value;
  const [chosen, choose] = useState('');
  const others = useReading(async () => (await readAll<Tag>('/tags', 'tags')).filter((tag) => tag.id !== id));
  const into = chosen || (others.value?.[0]?.id ?? '');
  const choices = (others.value ?? []).map((tag) => [tag.id, tag.name] as const);
  const run = async () => {
    await add(`/tags/${id}/merge`, { into });
    onDone();
  };
  return (
    <Confirm
      title={fill(text.mergeTagTitle, { name })}
      hint={
        <>
          {text.mergeTagHint}
          <Select label={text.mergeTagInto} value={into} choices={choices} onChange={choose} />
        </>
      }
      name={text.mergeTag}
      isDanger
      run={run}
      onClose={onClose}
    />
  );
}
