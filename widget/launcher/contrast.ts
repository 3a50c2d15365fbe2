/**
 * Returns white, or black where white has too little contrast, for text on a color that the browser has computed:
 * `color(srgb r g b)` with parts of 1. This black is dark enough for one of the two to have a contrast of 4.5:1 on every color.
 */
export function textColorOn(color: string): string {
  const [r = 0, g = 0, b = 0] = color.match(/-?[\d.]+(?:e-?\d+)?/g)?.map((channel) => toLinear(+channel)) ?? [];
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return 1.05 / (luminance + 0.05) >= 4.5 ? '#fff' : '#060606';
}

function toLinear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}
