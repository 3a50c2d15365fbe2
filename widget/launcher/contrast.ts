/**
 * Returns white, or black where white has too little contrast, for text on a colour that the browser has computed
 * (`rgb(…)`). This black is dark enough for one of the two to have a contrast of 4.5:1 on every colour.
 */
export function textColorOn(color: string): string {
  const channels = color.match(/[\d.]+/g)?.map(Number) ?? [];
  if (!color.startsWith('rgb') || channels.length < 3) return '#fff';
  const [r, g, b] = channels.map(toLinear) as [number, number, number];
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return 1.05 / (luminance + 0.05) >= 4.5 ? '#fff' : '#060606';
}

function toLinear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
