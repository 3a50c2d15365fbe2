// Finds the prose in a file: paragraphs of Markdown, comments, texts in strings, and names of tests. Everything else becomes a barrier
// of the same length, so an offset in the prose is an offset in the file.
import { createRequire } from 'node:module';

// `import` would search its 9 MB for names to export, which takes 0.7 s.
const ts = createRequire(import.meta.url)('typescript');

const BARRIER = '\0';
const block = (text) => text.replaceAll(/[^\n]+/g, (line) => BARRIER.repeat(line.length));

/** Fenced code, comments, code spans, addresses, and link targets of a page. */
const NOT_PROSE = [
  /^ {0,9}(```|~~~)[\s\S]*?^ {0,9}\1/gm,
  /<!--[\s\S]*?-->/g,
  /(`+)(?!`)[^\0]*?[^`]\1(?!`)/g,
  /\]\([^)\s]*\)/g,
  /\bhttps?:\/\/\S+/g,
];

const withoutCode = (text) => NOT_PROSE.reduce((rest, pattern) => rest.replaceAll(pattern, block), text);

/** Removes the stars and slashes at a comment's margin, so that a phrase is found across two lines. */
const withoutMargins = (comment) =>
  comment.replaceAll(/^([ \t]*)(\/\*\*?|\*\/|\*|\/\/)|\*\/$/gm, (margin) => ' '.repeat(margin.length));

/** Keeps only these stretches of a text. */
function keep(text, stretches) {
  const parts = [];
  let end = 0;
  for (const { from, to, prose } of stretches.toSorted((a, b) => a.from - b.from)) {
    const between = text.slice(end, from);
    // Only space is between two lines of the same comment.
    parts.push(/\S/.test(between) ? block(between) : between, prose);
    end = to;
  }
  return [...parts, block(text.slice(end))].join('');
}

/** The comments of a style sheet, or of a program whose strings, templates, and expressions are blocked out. */
function findComments(text, isCode) {
  const pattern = isCode ? /\/\*[\s\S]*?\*\/|\/\/.*/g : /\/\*[\s\S]*?\*\//g;
  return [...text.matchAll(pattern)].map(({ 0: comment, index }) => ({
    from: index,
    to: index + comment.length,
    prose: withoutCode(withoutMargins(comment)),
  }));
}

const isTemplatePart = (node) =>
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddle(node) ||
  ts.isTemplateTail(node) ||
  ts.isNoSubstitutionTemplateLiteral(node);
const isLiteral = (node) =>
  ts.isStringLiteral(node) || isTemplatePart(node) || ts.isJsxText(node) || ts.isRegularExpressionLiteral(node);

/** All strings, templates, JSX texts, and regular expressions of a program. */
function findLiterals(program) {
  const found = [];
  const visit = (node) => {
    if (isLiteral(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(program);
  return found;
}

const SQL = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|DROP|FROM|WHERE|AND|JOIN|LEFT|ORDER|ON|SET|CASE)\b/;
const isSentence = (text) => /[\p{L}'’]+[,:;]? [\p{L}'’]+[,:;]? [\p{L}{$]/u.test(text) && !SQL.test(text);

/** `it`, `test`, or `describe` if a literal is the name of a test, in any form (`it.each(…)('…')`); otherwise null. */
function testOf(literal) {
  const call = ts.isTemplateHead(literal) ? literal.parent.parent : literal.parent;
  if (!ts.isCallExpression(call)) return null;
  const first = ts.isTemplateHead(literal) ? literal.parent : literal;
  if (call.arguments[0] !== first) return null;
  let callee = call.expression;
  while (!ts.isIdentifier(callee)) {
    callee = callee.expression ?? callee.tag;
    if (!callee) return null;
  }
  return ['it', 'test', 'describe'].includes(callee.text) ? callee.text : null;
}

const toStretch = (literal, program) => {
  const text = literal.getText(program);
  return { from: literal.getStart(program), to: literal.getEnd(), prose: withoutCode(text) };
};

function readProgram(path, text, { hasTexts, hasTests }) {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : undefined;
  const program = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const literals = findLiterals(program);
  const spans = literals.map((literal) => ({ literal, from: literal.getStart(program), to: literal.getEnd() }));
  const code = keepOutside(text, spans);
  const named = hasTests
    ? literals.map((literal) => ({ literal, test: testOf(literal) })).filter(({ test }) => test)
    : [];
  const texts = hasTexts
    ? literals.filter((l) => !ts.isRegularExpressionLiteral(l) && isSentence(l.getText(program)))
    : [];
  const shown = [...texts, ...named.map(({ literal }) => literal)].map((literal) => toStretch(literal, program));
  const titles = named
    .filter(({ test }) => test !== 'describe')
    .map(({ literal }) => ({ offset: literal.getStart(program) + 1, title: literal.getText(program).slice(1, -1) }));
  return { prose: keep(text, [...findComments(code, true), ...shown]), titles };
}

/** The text with the given spans blocked out. */
function keepOutside(text, spans) {
  const parts = [];
  let end = 0;
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    parts.push(text.slice(end, from), block(text.slice(from, to)));
    end = to;
  }
  return [...parts, text.slice(end)].join('');
}

/** The prose of a file, and its tests' names. */
export function read(path, text, kinds) {
  if (path.endsWith('.md')) return { prose: withoutCode(text), titles: [] };
  if (path.endsWith('.css')) return { prose: keep(text, findComments(text, false)), titles: [] };
  return readProgram(path, text, kinds);
}
