import { useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { plural, strings } from '../../locales/strings.js';
import { notify } from '../../state/notices.js';
import { readTags } from '../../state/tags.js';
import { Icon } from '../../ui/parts/icon.js';
import { PageHead } from '../../ui/parts/page-head.js';
import { Tag } from '../../ui/parts/tag.js';
import { readPage, remove, type Tag as TagRow } from '../api.js';
import { Confirm } from '../parts/confirm.js';
import { Filter } from '../parts/filter.js';
import { Empty, Loaded, More } from '../parts/loaded.js';
import { usePages } from '../parts/reading.js';
import { AttributeKeys } from './attribute-keys.js';
import { EditTag } from './edit-tag.js';
import { MergeTag } from './merge-tag.js';

/** What is being done to a tag. */
interface Doing {
  what: 'edit' | 'merge' | 'delete';
  tag: TagRow;
}

/** The tags of the organization. */
export function TagsPage() {
  const text = adminStrings.value;
  const [typed, setTyped] = useState('');
  const [doing, start] = useState<Doing | null>(null);
  const pages = usePages<TagRow>(
    (cursor) => readPage('/tags', 'tags', cursor, { prefix: typed.trim() }),
    [typed.trim()],
  );
  const close = () => start(null);
  const onDone = () => {
    notify(text.saved);
    pages.again();
    // The colors of all pages.
    readTags().catch(() => undefined);
  };
  return (
    <>
      <PageHead title={strings.value.section.tags} />
      <div class="page-body">
        <p class="lead">{text.tagsLead}</p>
        <Filter value={typed} onInput={setTyped} label={text.findTag} />
        <Loaded of={pages}>
          {(tags) => (
            <>
              {tags.length === 0 && <Empty icon="tag" title={text.noTags} hint={typed ? undefined : text.noTagsHint} />}
              <ul class="lines">
                {tags.map((tag) => (
                  <li key={tag.id} class="line">
                    <TagLine tag={tag} start={(what) => start({ what, tag })} />
                  </li>
                ))}
              </ul>
              <More pages={pages} />
            </>
          )}
        </Loaded>
        <AttributeKeys />
      </div>
      {doing?.what === 'edit' && <EditTag tag={doing.tag} onDone={onDone} onClose={close} />}
      {doing?.what === 'merge' && <MergeTag tag={doing.tag} onDone={onDone} onClose={close} />}
      {doing?.what === 'delete' && <DeleteTag tag={doing.tag} onDone={onDone} onClose={close} />}
    </>
  );
}

function TagLine({
  tag: { name, color, chats, formerNames },
  start,
}: {
  tag: TagRow;
  start: (what: Doing['what']) => void;
}) {
  const text = adminStrings.value;
  const mergeWords = fill(text.mergeTagTitle, { name });
  const deleteWords = fill(text.removeNamed, { name });
  return (
    <>
      <button type="button" class="line-words plain" onClick={() => start('edit')}>
        <Tag name={name} color={color} />
        <span class="hint small one-line">
          {[
            plural(text.chatsOfTag, chats),
            formerNames.length > 0 && fill(text.formerNames, { names: formerNames.join(', ') }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </button>
      <button
        type="button"
        class="button small quiet round"
        aria-label={mergeWords}
        title={mergeWords}
        onClick={() => start('merge')}
      >
        <Icon name="transfer" />
      </button>
      <button
        type="button"
        class="button small quiet round"
        aria-label={deleteWords}
        title={deleteWords}
        onClick={() => start('delete')}
      >
        <Icon name="trash" />
      </button>
    </>
  );
}

function DeleteTag({ tag: { id, name }, onDone, onClose }: { tag: TagRow; onDone: () => void; onClose: () => void }) {
  const text = adminStrings.value;
  const run = async () => {
    await remove(`/tags/${id}`);
    onDone();
  };
  return (
    <Confirm
      title={fill(text.removeTitle, { name })}
      hint={text.removeTagHint}
      name={text.removeTag}
      isDanger
      run={run}
      onClose={onClose}
    />
  );
}
