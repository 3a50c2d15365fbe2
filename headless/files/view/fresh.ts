import { useEffect, useRef, useState } from 'preact/hooks';
import type { MessageFile } from '../../types.js';
import type { FileKit } from './kit.js';

/** The addresses that were renewed on this page, by the file's id. */
const renewed = new Map<string, string>();

/** Whether an address has expired, by this machine's clock. */
export function isOver(url: string): boolean {
  const expires = URL.canParse(url) ? Number(new URL(url).searchParams.get('expires')) : 0;
  return expires > 0 && expires * 1_000 < Date.now();
}

/** A file's address, renewed once when it has expired or can't be loaded, and again after each loss of the connection. */
export function useFresh({ id, url: given }: MessageFile, { renew: ask, isOnline }: FileKit) {
  const [isBroken, setBroken] = useState(false);
  const [, setUrl] = useState('');
  const isRenewed = useRef(false);
  const url = renewed.get(id) ?? given;
  /** Returns the address now, or undefined if there is none. */
  const renew = async (): Promise<string | undefined> => {
    try {
      const { url: fresh } = await ask(id);
      renewed.set(id, fresh);
      setUrl(fresh);
      return fresh;
    } catch {
      return undefined;
    }
  };
  const onError = () => {
    if (isRenewed.current) return setBroken(true);
    isRenewed.current = true;
    void renew().then((fresh) => (!fresh || fresh === url) && setBroken(true));
  };
  useEffect(() => {
    if (!isOnline) return;
    isRenewed.current = false;
    setBroken(false);
  }, [id, isOnline]);
  useEffect(() => {
    if (isOver(url)) void renew();
  }, [id]);
  return { url, isBroken, onError, renew };
}
