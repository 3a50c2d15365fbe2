import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { post } from '../../api/request.js';
import type { UsedTag } from '../../api/types.js';
import { strings } from '../../locales/strings.js';
import { openChat } from '../../state/chat/open-chat.js';
import { explain } from '../../state/explain.js';
import { notify } from '../../state/notices.js';
import { colorOf, findTags } from '../../state/tags.js';
import { Icon } from '../parts/icon.js';
import { Tag } from '../parts/tag.js';

/** The delay after the last key before the service is asked. */
const DELAY_MS = 150;
const MAX_SHOWN = 8;
const MAX_TAG = 50;

/** The tags of the chat, and a field that adds some. A node of the previous release sends none. */
export function ChatTags({ id, tags = [] }: { id: string; tags?: readonly string[] }) {
  const text = strings.value;
  const change = useChange(id);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    for (const name of tags) if (colorOf(name) === undefined) findTags(name).catch(() => undefined);
  }, [id]);
  return (
    <section class="chat-tags">
      <h2>{text.tags}</h2>
      {tags.length > 0 && (
        <ul>
          {tags.map((name) => (
            <li key={name}>
              <Tag name={name}>
                <button
                  type="button"
                  aria-label={fill(text.removeTag, { name })}
                  onClick={() => {
                    field.current!.focus();
                    void change({ remove: [name] });
                  }}
                >
                  <Icon name="close" />
                </button>
              </Tag>
            </li>
          ))}
        </ul>
      )}
      <TagField key={id} field={field} tags={tags} change={change} />
    </section>
  );
}

const isFull = (error: unknown) => (error as { code?: string }).code === 'conflict';

type Change = (body: { add?: string[]; remove?: string[] }) => Promise<boolean>;

function useChange(id: string): Change {
  return async (body) => {
    try {
      const { tags } = await post<{ tags: string[] }>(`/chats/${id}/tags`, body);
      const chat = openChat.value;
      if (chat?.id === id && chat.detail.value) chat.detail.value = { ...chat.detail.value, tags };
      return true;
    } catch (error) {
      notify(isFull(error) ? strings.value.tooManyTags : explain(error), 'trouble');
      return false;
    }
  };
}

interface TagFieldProps {
  field: RefObject<HTMLInputElement | null>;
  tags: readonly string[];
  change: Change;
}

function TagField({ field, tags, change }: TagFieldProps) {
  const text = strings.value;
  const [typed, write] = useState('');
  const [isOpen, open] = useState(false);
  const [chosen, choose] = useState(-1);
  const found = useFound(typed.trim(), isOpen)
    .filter(({ name }) => !tags.includes(name))
    .slice(0, MAX_SHOWN);
  const isShown = isOpen && found.length > 0;
  const add = async (name: string) => {
    if (name === '') return;
    write('');
    choose(-1);
    // What was typed comes back if it isn't stored.
    if (!(await change({ add: [name] }))) write((later) => later || name);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step !== undefined && isShown)
      choose((Math.max(chosen, step < 0 ? 0 : -1) + step + found.length) % found.length);
    else if ((key === 'Enter' && !event.isComposing) || key === ',') void add(found[chosen]?.name ?? typed.trim());
    else if (key === 'Backspace' && typed === '' && tags.length > 0) {
      // Held, it clears what was typed, and no tags.
      if (!event.repeat) void change({ remove: [tags.at(-1)!] });
    } else if (key === 'Escape' && isShown) open(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="tag-field">
      <input
        ref={field}
        role="combobox"
        value={typed}
        maxLength={MAX_TAG}
        dir="auto"
        autocomplete="off"
        placeholder={text.addTag}
        aria-label={text.addTag}
        aria-expanded={isShown}
        aria-controls="chat-tags"
        aria-activedescendant={isShown && chosen >= 0 ? `chat-tag-${chosen}` : undefined}
        onFocus={() => open(true)}
        onBlur={() => open(false)}
        onInput={({ currentTarget }) => {
          write(currentTarget.value);
          choose(-1);
          open(true);
        }}
        onKeyDown={onKeyDown}
      />
      {isShown && <TagSuggestions found={found} chosen={chosen} onChoose={(name) => void add(name)} />}
    </div>
  );
}

interface SuggestionsProps {
  found: readonly UsedTag[];
  chosen: number;
  onChoose: (name: string) => void;
}

function TagSuggestions({ found, chosen, onChoose }: SuggestionsProps) {
  return (
    <ul id="chat-tags" class="tag-suggestions" role="listbox" aria-label={strings.value.tags}>
      {found.map(({ name, color, chats }, index) => (
        <li
          key={name}
          id={`chat-tag-${index}`}
          class="suggestion"
          role="option"
          aria-selected={index === chosen}
          // The field keeps the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            onChoose(name);
          }}
        >
          <Tag name={name} color={color} />
          <span class="hint small">{chats || ''}</span>
        </li>
      ))}
    </ul>
  );
}

/** The tags that begin with what is typed. An answer that comes after the next key is dropped. */
function useFound(typed: string, isOpen: boolean): readonly UsedTag[] {
  const [found, setFound] = useState<readonly UsedTag[]>([]);
  useEffect(() => {
    if (!isOpen) return;
    let isCurrent = true;
    const ask = () => findTags(typed).then((tags) => isCurrent && setFound(tags));
    const timer = setTimeout(() => void ask().catch(() => undefined), DELAY_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [typed, isOpen]);
  return found;
}
