import type { Block, Letter } from './letter.js';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!);
const lines = (text: string) => escapeHtml(text).replaceAll(/\r?\n/g, '<br>');

/** The languages that are written from right to left. */
const RIGHT_TO_LEFT = new Set(['ar']);
const COLOR = /^#[0-9a-f]{3,8}$/i;

// Mail programs that know dark mode take the classes; the others show the styles of the elements.
const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #16181c !important; }
  .sheet { background: #1f2228 !important; color: #eceef1 !important; }
  .quote { background: #2a2e36 !important; color: #eceef1 !important; }
  .small { color: #a5abb5 !important; }
}`;

/** The plain text of a letter. */
export function textOf({ blocks, button, footer, unsubscribe }: Letter): string {
  const parts = [
    ...blocks.map((block) => (block.type === 'text' ? block.text : `${block.sender}:\n${quoted(block)}`)),
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    ...(footer.length > 0 || unsubscribe ? ['-- '] : []),
    ...footer,
    ...(unsubscribe ? [`${unsubscribe.label}: ${unsubscribe.url}`] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

function quoted({ text, isEarlier }: { text: string; isEarlier: boolean }): string {
  return isEarlier ? text.replaceAll(/^/gm, '> ') : text;
}

/** The same as HTML. Everything that people wrote is escaped. */
export function htmlOf(letter: Letter): string {
  const { language, subject, blocks, button, footer, logoUrl, unsubscribe } = letter;
  const direction = RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr';
  const small = [...footer.map(lines), ...(unsubscribe ? [link(unsubscribe.url, unsubscribe.label)] : [])];
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${STYLE}</style>
</head>
<body class="page" style="margin:0;padding:24px 12px;background:#f2f3f5">
<div class="sheet" dir="${direction}" style="max-width:560px;margin:0 auto;padding:24px;border-radius:12px;background:#ffffff;color:#1b1e23;font:16px/1.5 system-ui,sans-serif">
${logoUrl === null ? '' : `<img src="${escapeHtml(logoUrl)}" alt="" height="32" style="display:block;margin:0 0 16px">\n`}${blocks.map(blockOf).join('\n')}
${button === null ? '' : `<p style="margin:24px 0">${buttonOf(letter, button)}</p>\n`}${small.length === 0 ? '' : `<p class="small" style="margin:24px 0 0;color:#666c75;font-size:13px">${small.join('<br>')}</p>\n`}</div>
</body>
</html>
`;
}

function blockOf(block: Block): string {
  if (block.type === 'text') return `<p style="margin:0 0 16px">${lines(block.text)}</p>`;
  const faded = block.isEarlier ? 'opacity:.7;' : '';
  return `<div class="quote" style="${faded}margin:0 0 12px;padding:12px 16px;border-radius:8px;background:#f2f3f5"><b dir="auto">${escapeHtml(block.sender)}</b><div dir="auto">${lines(block.text)}</div></div>`;
}

function buttonOf({ color, colorText }: Letter, { label, url }: { label: string; url: string }): string {
  const [background, ink] = COLOR.test(color) && COLOR.test(colorText) ? [color, colorText] : ['#2457d6', '#ffffff'];
  return `<a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:${background};color:${ink};text-decoration:none">${escapeHtml(label)}</a>`;
}

function link(url: string, label: string): string {
  return `<a class="small" href="${escapeHtml(url)}" style="color:#666c75">${escapeHtml(label)}</a>`;
}
