/** The longest side of a stored picture, in pixels: twice what the widget shows, for dense screens. */
const SIDE = 144;
/** The most bytes of one that the service takes. */
const MAX_BYTES = 65_536;

/**
 * Crops a picture to a small square, a WebP or a PNG in base64. Drawing it removes a photo's location. A bitmap and not an `img`, because the
 * console's policy allows no `blob:` addresses. @throws Error if the browser can't read the file as a picture of pixels
 */
export async function fitPicture(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file);
  const { width, height } = bitmap;
  const side = Math.min(width, height);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIDE;
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, (width - side) / 2, (height - side) / 2, side, side, 0, 0, SIDE, SIDE);
  for (const quality of [0.9, 0.6]) {
    // A browser that can't write WebP makes a PNG.
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', quality));
    if (blob && blob.size <= MAX_BYTES) return toBase64(blob);
  }
  throw new Error('too large');
}

async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
