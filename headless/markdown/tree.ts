/** A part of a line of text. A string is shown as it is. */
export type Inline =
  | string
  | { type: 'strong' | 'em' | 'del'; children: Inline[] }
  | { type: 'code'; text: string }
  /** `site` is set when the label names another site than the one that the link leads to. */
  | { type: 'link'; href: string; children: Inline[]; site?: string };

export type Align = 'left' | 'center' | 'right' | undefined;

/** A part of a text that begins on a line of its own. */
export type Block =
  | { type: 'paragraph' | 'heading'; children: Inline[] }
  | { type: 'code'; text: string }
  | { type: 'quote'; children: Block[] }
  /** `start` is set for a numbered list. */
  | { type: 'list'; start?: number; items: Block[][] }
  | { type: 'table'; align: Align[]; rows: Inline[][][] }
  | { type: 'rule' };

/** What is read without marks, for screen readers and previews. */
export function textOf(blocks: readonly Block[]): string {
  return blocks.map(textOfBlock).join('\n');
}

function textOfBlock(block: Block): string {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return textOfInline(block.children);
    case 'code':
      return block.text;
    case 'quote':
      return textOf(block.children);
    case 'list':
      return block.items.map(textOf).join('\n');
    case 'table':
      return block.rows.map((row) => row.map(textOfInline).join(', ')).join('\n');
    default:
      return '';
  }
}

/** The words of a line without its marks. */
export function textOfInline(children: readonly Inline[]): string {
  return children
    .map((child) => {
      if (typeof child === 'string') return child;
      return child.type === 'code' ? child.text : textOfInline(child.children);
    })
    .join('');
}
