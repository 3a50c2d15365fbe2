import type { Chosen, Host } from '../types.js';
import { LAUNCHER_ICONS } from './icons.js';
import styles from './styles.css?inline';

type Draw = (canvas: HTMLCanvasElement | null) => void;

/** Shows the chosen icon on the button, or the chosen picture, which covers it. */
export function drawLauncher(host: Host, { launcherIcon, launcherPicture }: Chosen): void {
  if (!launcherIcon && !launcherPicture) return;
  host.addStyles(styles);
  const icon = host.mount.parentElement!.querySelector('.launcher .chat')!;
  const path = launcherIcon && LAUNCHER_ICONS[launcherIcon];
  if (path) {
    icon.classList.add('line');
    icon.firstElementChild!.setAttribute('d', path);
  }
  if (launcherPicture)
    void loadPicture(host, launcherPicture).then((draw) => {
      if (!draw) return;
      const canvas = document.createElement('canvas');
      canvas.className = 'picture';
      draw(canvas);
      icon.after(canvas);
    });
}

/**
 * Loads a picture, and returns what draws it on a canvas; undefined if it can't be loaded: the icon or the letter stays. A page's
 * Content-Security-Policy that allows the widget's requests allows this too, unlike an `img`.
 */
export async function loadPicture({ url, widgetKey }: Host, name: string): Promise<Draw | undefined> {
  try {
    const response = await fetch(`${url}/api/visitor/widget/pictures/${name}?key=${widgetKey}`);
    const bitmap = await createImageBitmap(await response.blob());
    return (canvas) => {
      if (!canvas) return;
      Object.assign(canvas, { width: bitmap.width, height: bitmap.height });
      canvas.getContext('2d')!.drawImage(bitmap, 0, 0);
    };
  } catch {
    return undefined;
  }
}
