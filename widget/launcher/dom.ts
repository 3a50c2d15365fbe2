/** Creates an element with a class. Pages with Trusted Types refuse `innerHTML`. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className: string,
  ...children: Node[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.className = className;
  // Not `append`, which old libraries replace.
  for (const child of children) made.appendChild(child);
  return made;
}

/** Creates a decorative icon from one path on a grid of 24 units. */
export function icon(className: string, path: string): SVGSVGElement {
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  const shape = document.createElementNS(namespace, 'path');
  svg.setAttribute('class', className);
  svg.setAttribute('viewBox', '0 0 24 24');
  shape.setAttribute('d', path);
  svg.appendChild(shape);
  return svg;
}

/** Adds a constructed style sheet, which no Content-Security-Policy refuses. Older browsers get a `style` element. */
export function addStyles(root: ShadowRoot, css: string, nonce: string): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  } catch {
    const style = element('style', '');
    style.nonce = nonce;
    style.textContent = css;
    root.insertBefore(style, root.firstChild);
  }
}
