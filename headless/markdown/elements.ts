import type { Block, Inline } from './tree.js';

/** Makes an element: `h` of Preact. Markdown becomes elements and never a string of HTML. */
export type Make<E> = (name: string, properties: Record<string, unknown> | null, ...children: (E | string)[]) => E;

/** The words beside code and tables. */
export interface MarkdownWords {
  copy: string;
  code: string;
  table: string;
}

/** Makes the `click` listener of a button that copies a text. */
export type Copy = (text: string) => unknown;

const LINK = { target: '_blank', rel: 'noopener noreferrer nofollow ugc' };

/** Makes the elements of a text. */
export function toElements<E>(blocks: readonly Block[], make: Make<E>, words: MarkdownWords, copy: Copy): E[] {
  return blocks.map((block) => new Elements(make, words, copy).ofBlock(block));
}

class Elements<E> {
  readonly #make: Make<E>;
  readonly #words: MarkdownWords;
  readonly #copy: Copy;

  constructor(make: Make<E>, words: MarkdownWords, copy: Copy) {
    this.#make = make;
    this.#words = words;
    this.#copy = copy;
  }

  ofBlock(block: Block): E {
    switch (block.type) {
      case 'code':
        return this.#code(block.text);
      case 'quote':
        return this.#make('blockquote', null, ...this.#blocks(block.children));
      case 'list':
        return this.#list(block);
      case 'table':
        return this.#table(block);
      case 'rule':
        return this.#make('hr', null);
      default:
        return this.#make('p', { class: block.type }, ...this.#inlines(block.children));
    }
  }

  #blocks(blocks: readonly Block[]): E[] {
    return blocks.map((block) => this.ofBlock(block));
  }

  #inlines(children: readonly Inline[]): (E | string)[] {
    return children.map((child) => this.#inline(child));
  }

  #inline(child: Inline): E | string {
    if (typeof child === 'string') return child;
    if (child.type === 'code') return this.#make('code', { dir: 'auto' }, child.text);
    if (child.type !== 'link') return this.#make(child.type, null, ...this.#inlines(child.children));
    const link = this.#make(
      'a',
      { href: child.href, ...LINK },
      this.#make('bdi', null, ...this.#inlines(child.children)),
    );
    if (!child.site) return link;
    return this.#make(
      'span',
      null,
      link,
      this.#make('span', { class: 'site' }, ` (`, this.#make('bdi', null, child.site), `)`),
    );
  }

  #list({ start, items }: Block & { type: 'list' }): E {
    const children = items.map((item) => this.#make('li', null, ...this.#blocks(item)));
    return this.#make(start === undefined ? 'ul' : 'ol', { start }, ...children);
  }

  // A group, not a region: a conversation may have many, and each region needs its own name.
  #code(text: string): E {
    const { code, copy } = this.#words;
    return this.#make(
      'div',
      { class: 'block-code' },
      this.#make('pre', { tabIndex: 0, role: 'group', 'aria-label': code, dir: 'ltr' }, this.#make('code', null, text)),
      this.#make(
        'button',
        { type: 'button', class: 'block-copy', 'aria-live': 'polite', onClick: this.#copy(text) },
        copy,
      ),
    );
  }

  #table({ align, rows }: Block & { type: 'table' }): E {
    const toRow = (name: string) => (cells: readonly Inline[][]) =>
      this.#make(
        'tr',
        null,
        ...cells.map((cell, at) =>
          this.#make(cell.length > 0 ? name : 'td', { class: align[at] }, ...this.#inlines(cell)),
        ),
      );
    const [head, ...others] = rows;
    return this.#make(
      'div',
      { class: 'block-table', tabIndex: 0, role: 'group', 'aria-label': this.#words.table },
      this.#make(
        'table',
        null,
        this.#make('thead', null, toRow('th')(head!)),
        this.#make('tbody', null, ...others.map(toRow('td'))),
      ),
    );
  }
}
