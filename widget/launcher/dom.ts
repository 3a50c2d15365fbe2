/** An element with a class, without markup: pages with Trusted Types refuse `innerHTML`. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className: string,
  ...children: Node[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.className = className;
  made.append(...children);
  return made;
}

/** A decorative icon of 24 units, drawn with one path. */
export function icon(className: string, path: string): SVGSVGElement {
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  const shape = document.createElementNS(namespace, 'path');
  svg.setAttribute('class', className);
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  shape.setAttribute('d', path);
  svg.append(shape);
  return svg;
}

/** Adds a style sheet that no Content-Security-Policy refuses, where the browser has such. */
export function addStyles(root: ShadowRoot, css: string, nonce: string): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  } catch {
    const style = element('style', '');
    style.nonce = nonce;
    style.textContent = css;
    root.prepend(style);
  }
}
