import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { analyse } from 'scslre';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['src', 'headless', 'widget', 'console', 'examples', 'packages'];
const CODE = /(?<!spec)\.(?:[jt]sx?|mjs)$/;
const LINE = 'it sees one line of a message, and nothing but the end of a line follows .* or spaces';

/** Expressions whose time may grow faster than what they read, the files that may have them, and why no stranger can make use of it. */
const EXCEPTIONS = [
  {
    literal: String.raw`/\/+$/`,
    files: ['widget/client/settings.ts', 'widget/client/visitor-client.ts', 'widget/launcher/widget.ts'],
    reason: "the page's own address of the service",
  },
  {
    literal: String.raw`/^([^/?#]*)([^?#]*)(?:\?(.*))?$/s`,
    files: ['src/platform/config/database-url.ts'],
    reason: 'an address from the configuration',
  },
  {
    literal: String.raw`/^\w+:\/\/[^@]*(?:%|:[^@]*:)[^@]*@/`,
    files: ['src/platform/database/properties/connecting.ts'],
    reason: 'an address from the configuration',
  },
  { literal: String.raw`/--.*$/gm`, files: ['src/cli/upgrade/planned-steps.ts'], reason: 'our own migrations' },
  { literal: String.raw`/^ {0,3}#{1,6}[ \t]+(.*)$/`, files: ['headless/markdown/blocks.ts'], reason: LINE },
  {
    literal: String.raw`/^ {0,12}(?:#{1,6}|[-*+]|\d{1,9}[.)]?|>|${'`{1,2}'}|~{1,2}|--|\*\*|__|\|.*) *$/`,
    files: ['headless/markdown/blocks.ts'],
    reason: LINE,
  },
];

/** Expressions that code puts together: who chooses what is in them. */
const BUILT: Record<string, string> = {
  'new RegExp(`,"[\\\\w-]{${CODE_LENGTH}}"\\\\]$`)': 'our own; it sees the last 26 characters of a hint',
  'new RegExp(source, flags)': 'the author of a script for `parley dev`',
  "new RegExp(wanted.source, wanted.flags.replace('g', ''))": 'the author of a script for `parley dev`',
};

/** Expressions by their file: another file may feed the same expression with a stranger's text. */
interface Found {
  readonly literals: Map<string, Set<string>>;
  readonly built: Set<string>;
}

function expressionsInCode(): Found {
  const found: Found = { literals: new Map(), built: new Set() };
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  for (const file of files)
    if (CODE.test(file) && !/node_modules|\bdist\b/.test(file))
      collect(file, readFileSync(join(ROOT, file), 'utf8'), found);
  return found;
}

function collect(file: string, text: string, { literals, built }: Found): void {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const inFile = new Set<string>();
  literals.set(file, inFile);
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) inFile.add(node.getText(tree));
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(tree) === 'RegExp')
      built.add(node.getText(tree));
    ts.forEachChild(node, visit);
  };
  visit(tree);
}

/** Whether an expression can take more than linear time on some text. */
function isSuperlinear(literal: string): boolean {
  const end = literal.lastIndexOf('/');
  return analyse({ source: literal.slice(1, end), flags: literal.slice(end + 1) }).reports.length > 0;
}

describe('regular expressions', () => {
  const { literals, built } = expressionsInCode();

  it('all take linear time, but for the exceptions, which all exist', () => {
    const superlinear = [...literals].flatMap(([file, inFile]) =>
      [...inFile].filter(isSuperlinear).map((literal) => `${file}: ${literal}`),
    );
    const expected = EXCEPTIONS.flatMap(({ literal, files }) => files.map((file) => `${file}: ${literal}`));
    expect(superlinear.toSorted()).toEqual(expected.toSorted());
  });

  it('none is put together from what a stranger sends', () => {
    expect([...built].toSorted()).toEqual(Object.keys(BUILT).toSorted());
  });

  it('the analysis finds expressions that take quadratic or exponential time', () => {
    expect([String.raw`/\/+\/+$/`, '/^(a+)+$/', String.raw`/\s+$/`].map(isSuperlinear)).toEqual([true, true, true]);
  });
});
