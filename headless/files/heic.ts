/** The largest picture that's converted, in pixels: the service accepts no larger JPEG. */
const MAX_PIXELS = 50_000_000;
const QUALITY = 0.9;

/** A HEIC picture as JPEG, where the browser can decode it. Otherwise, and any other file, as it is. */
export async function toJpeg(file: File): Promise<File> {
  if (!/^image\/hei[cf]/.test(file.type) && !/\.hei[cf]$/i.test(file.name)) return file;
  try {
    const bitmap = await createImageBitmap(file);
    const { width, height } = bitmap;
    if (width * height > MAX_PIXELS) return file;
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width, height });
    canvas.getContext('2d')!.drawImage(bitmap, 0, 0);
    bitmap.close();
    const made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
    return made ? new File([made], `${file.name.replace(/\.hei[cf]$/i, '')}.jpg`, { type: 'image/jpeg' }) : file;
  } catch {
    return file;
  }
}
