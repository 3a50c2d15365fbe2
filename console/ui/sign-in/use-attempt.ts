import { useState } from 'preact/hooks';

/** One attempt at a time, and what to say when it failed. */
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
