import { useEffect } from 'preact/hooks';

const COUNT = /^\(\d+\) /;

/** Shows a number in front of the page's title. A title that begins with a number of the site's own stays as it is. */
export function useTitle(count: number): void {
  useEffect(() => {
    if (count === 0 || COUNT.test(document.title)) return undefined;
    const own = document.title;
    const shown = `(${count}) ${own}`;
    document.title = shown;
    return () => {
      // The page may have changed it since.
      if (document.title === shown) document.title = own;
    };
  }, [count]);
}
