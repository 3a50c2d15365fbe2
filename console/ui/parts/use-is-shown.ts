import { useLayoutEffect, useRef } from 'preact/hooks';

/** Whether the component is still shown. An answer that comes after its dialog was closed must not close another one. */
export function useIsShown(): { readonly current: boolean } {
  const isShown = useRef(true);
  useLayoutEffect(() => () => void (isShown.current = false), []);
  return isShown;
}
