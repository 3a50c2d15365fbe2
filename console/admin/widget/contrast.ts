/** The contrast of two CSS colors, 1 to 21, as WCAG counts it; 21 if the browser doesn't know one of them. */
export function contrastOf(one: string, other: string): number {
  const [darker, lighter] = [one, other].map(luminanceOf).toSorted((a, b) => a - b) as [number, number];
  return Number.isNaN(darker + lighter) ? 21 : (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(color: string): number {
  if (!CSS.supports('color', color)) return NaN;
  // A canvas turns every color into its red, green, and blue.
  const context = new OffscreenCanvas(1, 1).getContext('2d')!;
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
  return 0.2126 * toLinear(r!) + 0.7152 * toLinear(g!) + 0.0722 * toLinear(b!);
}

function toLinear(channel: number): number {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}
