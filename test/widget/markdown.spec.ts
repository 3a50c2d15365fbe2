import { describe, expect, it } from '@jest/globals';
import { parseMarkdown } from '../../headless/markdown/blocks.js';
import { hasMarks, withoutMarks } from '../../headless/markdown/marks.js';
import { toElements } from '../../headless/markdown/elements.js';
import { textOf } from '../../headless/markdown/tree.js';

const WORDS = { copy: 'Copy', code: 'Code', table: 'Table' };

/** The elements as a short text: `p(Hello strong(you))`, with the attributes that matter. */
function drawn(text: string, isPartial = false): string {
  const make = (name: string, properties: Record<string, unknown> | null, ...children: string[]): string => {
    const href = typeof properties?.href === 'string' ? ` ${properties.href}` : '';
    return `${name}${href}(${children.join('')})`;
  };
  return toElements(parseMarkdown(text, isPartial), make, WORDS, () => undefined).join('\n');
}

/** The same for a text of one paragraph. */
const line = (text: string, isPartial = false) => /^p\((.*)\)$/s.exec(drawn(text, isPartial))?.[1];

describe('plain text from Markdown', () => {
  it.each([
    ['It **is** [here](https://acme.example)', 'It is here'],
    ['# Prices\n> `now`', 'Prices\nnow'],
    ['|Size|Price|\n|-|:-:|\n| S | **9** |', 'Size, Price\n\nS, 9'],
    ['a | b || c', 'a | b || c'],
  ])('the plain text of %j is %j', (text, said) => expect(withoutMarks(text)).toBe(said));
});

describe('Markdown', () => {
  it.each([
    ['**bold** and *slanted*, __too__ and _so_', 'strong(bold) and em(slanted), strong(too) and em(so)'],
    ['***both***', 'strong(em(both))'],
    ['**bold *and* more**', 'strong(bold em(and) more)'],
    ['~~gone~~ but ~not~', 'del(gone) but ~not~'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['`a *b* c`, `` a`b `` and `open', 'code(a *b* c), code(a`b) and `open'],
    ['\\*not\\* \\`so\\`', '*not* `so`'],
    ['**never closed', '**never closed'],
    ['*crossing **over* it**', 'em(crossing **over) it**'],
  ])('Markdown renders %s', (text, elements) => expect(line(text)).toBe(elements));

  it.each([
    ['[Docs](https://example.com/a_b)', 'a https://example.com/a_b(bdi(Docs))'],
    ['[**Docs**](https://example.com "title")', 'a https://example.com/(bdi(strong(Docs)))'],
    ['[a](https://example.com/b_(c))', 'a https://example.com/b_(c)(bdi(a))'],
    ['<https://example.com>', 'a https://example.com/(bdi(https://example.com))'],
    ['see https://example.com/a_b_c.', 'see a https://example.com/a_b_c(bdi(https://example.com/a_b_c)).'],
    ['![A cat](https://example.com/cat.png)', 'a https://example.com/cat.png(bdi(A cat))'],
    ['[mail](mailto:a@example.com) [call](tel:+4930)', 'a mailto:a@example.com(bdi(mail)) a tel:+4930(bdi(call))'],
    ['[x](javascript:alert(1))', '[x](javascript:alert(1))'],
    ['[x](data:text/html,y) [x](/path) [x]()', '[x](data:text/html,y) [x](/path) [x]()'],
    ['[x] and [x][1]', '[x] and [x][1]'],
  ])('Markdown renders the link %s', (text, elements) => expect(line(text)).toBe(elements));

  it.each([
    ['[example.com](https://evil.example)', 'evil.example'],
    ['[https://bank.example/login](https://evil.example/bank.example)', 'evil.example'],
    ['[docs.example.com](https://example.com)', 'example.com'],
    ['[me@bank.example](mailto:me@evil.example)', 'me@evil.example'],
    ['[bаnk.example](https://bank.example)', 'bank.example'],
  ])('Markdown shows the target of %s', (text, site) => expect(line(text)).toContain(`span( (bdi(${site})))`));

  it.each([
    '[Click here](https://example.com)',
    '[example.com](https://docs.example.com)',
    '[www.example.com](http://example.com)',
  ])("Markdown doesn't repeat the target of %s", (text) => expect(line(text)).not.toContain('span('));

  it('Markdown renders blocks', () => {
    const text = [
      '# Title #',
      'A line',
      'and another',
      '',
      '- one',
      '- two',
      '  - inner',
      '',
      '  more of two',
      '- three',
      '',
      '3. third',
      '4. fourth',
      '',
      '> said',
      '> > before',
      '---',
      '```js',
      '<b>*x*</b>',
      '```',
      'end',
    ];
    expect(drawn(text.join('\n')).split('\n')).toEqual([
      'p(Title)',
      'p(A line',
      'and another)',
      'ul(li(p(one))li(p(two)ul(li(p(inner)))p(more of two))li(p(three)))',
      'ol(li(p(third))li(p(fourth)))',
      'blockquote(p(said)blockquote(p(before)))',
      'hr()',
      'div(pre(code(<b>*x*</b>))button(Copy))',
      'p(end)',
    ]);
  });

  it('Markdown renders tables', () => {
    const table = '| Plan | Price |\n|:--|--:|\n| **Small** | 5 \\| 6 |\n| Large | [9](https://example.com) |\n\nend';
    expect(drawn(table)).toBe(
      'div(table(thead(tr(th(Plan)th(Price)))tbody(tr(td(strong(Small))td(5 | 6))' +
        'tr(td(Large)td(a https://example.com/(bdi(9)))))))\np(end)',
    );
    expect(line('this | that\nand more')).toBe('this | that\nand more');
  });

  it('Markdown never treats HTML as markup', () => {
    const text = '<img src=x onerror="alert(1)"> <script>alert(1)</script> <a href="javascript:x">x</a>';
    expect(line(text)).toBe(text);
  });

  it('Markdown converts to a text without its marks', () => {
    const text = '# Hi **you**\n- [a](https://example.com)\n- `b`\n\n| a | b |\n|-|-|\n| 1 | 2 |';
    expect(textOf(parseMarkdown(text))).toBe('Hi you\na\nb\na, b\n1, 2');
  });

  it('Markdown is parsed only in texts with a mark', () => {
    const marked = ['**a**', 'x\n- a', '1. a', 'a_b', '> a', '[a](b)', '~~a~~', '# a', 'a | b', 'x\n---'];
    expect(marked.map(hasMarks)).toEqual(marked.map(() => true));
    expect(['Hello!', 'See https://example.com/a-b?c=d.', 'On 1.5. - or later', 'a + b = c'].map(hasMarks)).toEqual(
      Array.from({ length: 4 }, () => false),
    );
  });

  describe("while it's being written", () => {
    const WHOLE = [
      'Some **bold words** here, `code` and [a link](https://example.com/path) ~~gone~~.',
      '',
      '## Heading',
      '- one',
      '- *two*',
      '',
      '| Plan | Price |',
      '| --- | --- |',
      '| A | 1 |',
      '',
      '```sh',
      'npm start',
      '```',
      'end',
    ].join('\n');

    it('unfinished Markdown shows no mark that would disappear', () => {
      for (let end = 1; end <= WHOLE.length; end++) {
        const words = textOf(parseMarkdown(WHOLE.slice(0, end), true));
        expect([end, words.match(/\*|\[|\]|`|~|#|\||--|https/)]).toEqual([end, null]);
      }
    });

    it('unfinished Markdown renders like the finished text', () => {
      expect(line('Some **bold wo', true)).toBe('Some strong(bold wo)');
      expect(line('Some **bold words*', true)).toBe('Some strong(bold words)');
      expect(line('see [a li', true)).toBe('see a li');
      expect(line('see [a link](https://exam', true)).toBe('see a link');
      expect(drawn('```\nnpm', true)).toBe('div(pre(code(npm))button(Copy))');
      expect(drawn('text\n\n| Plan | Pr', true)).toBe('p(text)');
      expect(drawn(WHOLE, true)).toBe(drawn(WHOLE));
    });
  });

  describe('from a hostile bot', () => {
    const LENGTH = 5_000;
    const PIECES = [
      ...'*_`~[]()<>#|-+>!\\\n \t1.',
      '**', '__', '![', '](', '[](', '[a](', '[a](b', '*a ', '**a *b ', '_a_ ', '`` ` ', '- ', '> ', '>>> - ', '1. ',
      '|-|\n', '| a |\n|---|\n', '~~~', '```\n', '<a href=', 'https://a.b/', '[https://a.b](', 'a.b ', '[a.b c.d', ' \n', '\n\n- ', '- - ', '***a***', '# #',
      '*[', '[*', ']*', '[`', '\\[', '~~a~~', '~`',
    ]; // prettier-ignore
    const hostile = PIECES.flatMap((piece) => [
      piece.repeat(LENGTH / piece.length),
      `${piece.repeat(LENGTH / 2 / piece.length)}x${[...piece]
        .toReversed()
        .join('')
        .repeat(LENGTH / 2 / piece.length)}`,
    ]);

    const count = (text: string): { elements: number; depth: number } => {
      let elements = 0;
      const make = (_name: string, _properties: unknown, ...children: (number | string)[]): number => {
        elements++;
        return 1 + Math.max(0, ...children.map((child) => (typeof child === 'number' ? child : 0)));
      };
      const depths = toElements<number>(parseMarkdown(text), make, WORDS, () => undefined);
      return { elements, depth: Math.max(0, ...depths) };
    };

    it('hostile Markdown creates only a few elements per character, and no deep ones', () => {
      for (const text of hostile) {
        const { elements, depth } = count(text);
        expect([text.slice(0, 12), elements <= 4 * text.length + 8, depth <= 60]).toEqual([
          text.slice(0, 12),
          true,
          true,
        ]);
      }
    });

    // Code that takes quadratic time takes minutes here.
    it('Markdown of any form and length is parsed', () => {
      for (const [at, piece] of PIECES.entries()) parseMarkdown(piece.repeat(200_000 / piece.length), at % 2 === 0);
    });

    it('Markdown loses no word', () => {
      for (const piece of PIECES) {
        const text = `begin ${piece.repeat(20)} end`;
        expect([piece, textOf(parseMarkdown(text)).startsWith('begin')]).toEqual([piece, true]);
      }
    });
  });
});
