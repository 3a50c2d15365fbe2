import { useEffect, useState } from 'preact/hooks';

/** Whether something has been true for a while. @param delay in milliseconds */
export function useLate(isTrue: boolean, delay: number): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isTrue) return setLate(false);
    const timer = setTimeout(() => setLate(true), delay);
    return () => clearTimeout(timer);
  }, [isTrue]);
  return isTrue && isLate;
}
