/** The longest side of an agent's or a bot's picture, in pixels: twice what the widget shows, for dense screens. */
const SIDE = 144;
/** The width and the height of a mail's logo, for dense screens. */
const LOGO = { width: 480, height: 96 };
/** The most bytes of a widget's picture that the service takes. */
const MAX_BYTES = 65_536;

/**
 * Crops a picture to a small square, as a `data:` URL of a WebP or a PNG. Drawing it removes a photo's location.
 * @throws Error if the browser can't read the file as a picture of pixels
 */
export async function fitPicture(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file);
  const { width, height } = bitmap;
  const side = Math.min(width, height);
  const canvas = draw(bitmap, [(width - side) / 2, (height - side) / 2, side, side], SIDE, SIDE);
  for (const quality of [0.9, 0.6]) {
    // A browser that can't write WebP makes a PNG.
    const url = canvas.toDataURL('image/webp', quality);
    if (url.length <= (MAX_BYTES / 3) * 4) return url;
  }
  throw new Error('too large');
}

/** The same for a mail's logo, as a PNG, because some mail programs show no WebP. It isn't cropped. */
export async function fitLogo(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file);
  const { width, height } = bitmap;
  const scale = Math.min(1, LOGO.width / width, LOGO.height / height);
  const size = (side: number) => Math.max(1, Math.round(side * scale));
  return draw(bitmap, [0, 0, width, height], size(width), size(height)).toDataURL('image/png');
}

// A bitmap and not an `img`, because the console's policy allows no `blob:` addresses.
function draw(
  bitmap: ImageBitmap,
  part: [number, number, number, number],
  width: number,
  height: number,
): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, ...part, 0, 0, width, height);
  return canvas;
}
