import { useState } from 'preact/hooks';

/** Runs one attempt at a time, and explains a failure. */
export function useAttempt(toText: (error: unknown) => string) {
  const [failure, setFailure] = useState('');
  const [isBusy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    setFailure('');
    try {
      await work();
    } catch (error) {
      setFailure(toText(error));
    } finally {
      setBusy(false);
    }
  };
  return { failure, setFailure, isBusy, attempt };
}
