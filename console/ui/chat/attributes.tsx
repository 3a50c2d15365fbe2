import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { call } from '../../api/request.js';
import type { Attributes, Detail } from '../../api/types.js';
import { attributeWords, MAX_TYPED } from '../../lib/search-words.js';
import { dialogStrings } from '../../locales/dialog-strings.js';
import { filterKeys, wantFilterKeys } from '../../state/attribute-keys.js';
import { openChat } from '../../state/chat/open-chat.js';
import { explain } from '../../state/explain.js';
import { notify } from '../../state/notices.js';
import { Icon } from '../parts/icon.js';
import { openPalette, typeAhead } from '../screen.js';
import '../../styles/attributes.css';

const MAX_TEXT = 500;
const MAX_KEY = 64;
const KEY = '[a-zA-Z0-9_.\\-]+';

type Change = (key: string, value: string | number | boolean | null) => Promise<boolean>;

/** What's known of the visitor and the chat, apart from what the page says. A node of the previous release sends none. */
export function AttributesOfChat({ detail }: { detail: Detail }) {
  const text = dialogStrings.value;
  wantFilterKeys();
  const { id, visitor } = detail;
  const { verifiedAttributes }: { verifiedAttributes?: Attributes } = visitor;
  const verified = Object.entries(verifiedAttributes ?? {});
  const changeVisitor = useChange(`/visitors/${visitor.id}`, (attributes) => ({
    visitor: { ...openChat.value!.detail.value!.visitor, attributes },
  }));
  const changeChat = useChange(`/chats/${id}`, (attributes) => ({ attributes }));
  return (
    <>
      {verified.length > 0 && (
        <section class="attributes">
          <h2>{text.verifiedAttributes}</h2>
          <dl class="facts">
            {verified.map(([key, value]) => (
              <div key={key}>
                <Key name={key} />
                <dd>
                  <span dir="auto">{String(value)}</span>
                  <Find prefix="verified." name={key} value={value} />
                </dd>
              </div>
            ))}
          </dl>
          <p class="hint small">{text.verifiedHint}</p>
        </section>
      )}
      <List
        key={`${id} visitor`}
        title={text.visitorAttributes}
        attributes={visitor.attributes}
        change={changeVisitor}
      />
      <List key={id} title={text.chatAttributes} attributes={detail.attributes} change={changeChat} />
    </>
  );
}

function useChange(path: string, toDetail: (attributes: Attributes) => Partial<Detail>): Change {
  return async (key, value) => {
    const chat = openChat.value;
    try {
      const change = { attributes: { [key]: value } };
      const { attributes } = await call<{ attributes: Attributes }>('PATCH', path, change);
      if (openChat.value === chat && chat?.detail.value)
        chat.detail.value = { ...chat.detail.value, ...toDetail(attributes) };
      return true;
    } catch (error) {
      notify(explain(error), 'trouble');
      return false;
    }
  };
}

const Key = ({ name }: { name: string }) => (
  <dt title={name}>
    <bdi>{name}</bdi>
  </dt>
);

interface FindProps {
  prefix: 'attr.' | 'verified.';
  name: string;
  value: string | number | boolean;
}

/** Opens the search for the chats with a value, if its key can be searched for. */
function Find({ prefix, name, value }: FindProps) {
  const words = attributeWords(prefix, name, String(value));
  if (!filterKeys.value.some(({ key, isReady }) => key === name && isReady)) return null;
  if (words === null || words.length >= MAX_TYPED) return null;
  const title = fill(dialogStrings.value.findByAttribute, { name, value: String(value) });
  const find = () => {
    openPalette();
    typeAhead(`${words} `);
  };
  return (
    <button type="button" class="button quiet small" aria-label={title} title={title} onClick={find}>
      <Icon name="search" />
    </button>
  );
}

interface ListProps {
  title: string;
  attributes?: Attributes;
  change: Change;
}

function List({ title, attributes = {}, change }: ListProps) {
  const text = dialogStrings.value;
  const [isAdding, setAdding] = useState(false);
  const add = useRef<HTMLButtonElement>(null);
  const entries = Object.entries(attributes);
  const remove = (key: string) => {
    add.current?.focus();
    void change(key, null);
  };
  return (
    <section class="attributes">
      <header>
        <h2>{title}</h2>
        <button
          ref={add}
          type="button"
          class="button quiet small"
          aria-label={fill(text.addAttributeTo, { list: title })}
          title={text.addAttribute}
          aria-expanded={isAdding}
          onClick={() => setAdding(!isAdding)}
        >
          <Icon name="plus" />
        </button>
      </header>
      {entries.length > 0 && (
        <dl class="facts">
          {entries.map(([key, value]) => (
            <div key={key}>
              <Key name={key} />
              <dd>
                <ValueField name={key} value={value} change={change} />
                <Find prefix="attr." name={key} value={value} />
                <button
                  type="button"
                  class="button quiet small"
                  aria-label={fill(text.removeAttribute, { name: key })}
                  onClick={() => remove(key)}
                >
                  <Icon name="close" />
                </button>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {isAdding && (
        <NewAttribute
          change={change}
          onEnd={() => {
            setAdding(false);
            add.current?.focus();
          }}
        />
      )}
    </section>
  );
}

/** A number stays a number, and a boolean a boolean, if what is typed is one. */
function toValue(typed: string, before: string | number | boolean): string | number | boolean {
  const trimmed = typed.trim();
  if (typeof before === 'boolean' && (trimmed === 'true' || trimmed === 'false')) return trimmed === 'true';
  if (typeof before === 'number' && trimmed !== '' && String(Number(trimmed)) === trimmed) return Number(trimmed);
  return trimmed;
}

interface ValueProps {
  name: string;
  value: string | number | boolean;
  change: Change;
}

/** It's saved with Enter, or when the field is left, and Escape brings the value back. What can't be saved stays, for another try. */
function ValueField({ name, value, change }: ValueProps) {
  const field = useRef<HTMLInputElement>(null);
  /** What was in the field before something was typed. */
  const shown = useRef('');
  const [hasFailed, setFailed] = useState(false);
  const show = (text = String(value)) => {
    shown.current = field.current!.value = text;
    setFailed(false);
  };
  const isTyped = () => field.current!.value !== shown.current;
  // What a bot or a colleague sets never changes a field while someone types in it.
  useLayoutEffect(() => {
    if (document.activeElement !== field.current && !isTyped()) show();
  }, [value]);
  const save = async (typed: string) => {
    // A colleague may have set another value since.
    if (!isTyped()) return show();
    const wanted = toValue(typed, value);
    const isSaved = wanted === value || (await change(name, wanted));
    if (!isSaved) setFailed(true);
    else if (field.current?.value === typed) show(String(wanted));
  };
  return (
    <input
      ref={field}
      dir="auto"
      aria-label={name}
      maxLength={MAX_TEXT}
      autocomplete="off"
      aria-invalid={hasFailed}
      onBlur={({ currentTarget }) => void save(currentTarget.value)}
      onKeyDown={(event) => {
        const { value: typed } = event.currentTarget;
        if (event.key === 'Enter' && !event.isComposing && !event.repeat) void save(typed);
        if (event.key !== 'Escape' || typed === String(value)) return;
        event.stopPropagation();
        show();
      }}
    />
  );
}

function NewAttribute({ change, onEnd }: { change: Change; onEnd: () => void }) {
  const text = dialogStrings.value;
  const [isBusy, setBusy] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current!.focus(), []);
  const save = async (event: preact.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { key, value } = event.currentTarget.elements as unknown as Record<'key' | 'value', HTMLInputElement>;
    if (isBusy) return;
    // The browser would explain it in its own language.
    if (!key.validity.valid) {
      key.focus();
      return notify(text.attributeNameRule, 'trouble');
    }
    setBusy(true);
    if (await change(key.value, value.value.trim())) onEnd();
    else setBusy(false);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onEnd();
      }}
    >
      <input
        name="key"
        required
        pattern={KEY}
        maxLength={MAX_KEY}
        placeholder={text.attributeName}
        aria-label={text.attributeName}
        autocomplete="off"
        spellcheck={false}
        ref={first}
      />
      <input
        name="value"
        dir="auto"
        maxLength={MAX_TEXT}
        placeholder={text.attributeValue}
        aria-label={text.attributeValue}
        autocomplete="off"
      />
      <button type="submit" class="button small" disabled={isBusy}>
        {text.addAttribute}
      </button>
    </form>
  );
}
