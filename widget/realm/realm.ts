/** Imports a module. */
type Import = (address: string) => Promise<unknown>;

export interface RealmFrame extends HTMLIFrameElement {
  parley?: (load: Import) => void;
}

interface Policy {
  createScriptURL(given: string): string;
}

/** How long the frame may take, in milliseconds. */
const TIMEOUT_MS = 5_000;

const own = self.frameElement as RealmFrame | null;
// This module runs twice: in the page, and in the frame that it makes there.
own?.parley?.(bring);

let entering: Promise<Import> | undefined;

/** Imports a module in the frame, or in the page if it allows none. @param change what the page has changed, for its developers */
export async function load(address: string, nonce: string, change: string): Promise<unknown> {
  return (await (entering ??= enter(nonce, change)))(address);
}

function bring(address: string): Promise<unknown> {
  return import(/* @vite-ignore */ address);
}

/**
 * Makes an empty frame, whose built-in functions the page can't have changed. Modules that are imported in it use them, and show the chat in
 * the page.
 */
async function enter(nonce: string, change: string): Promise<Import> {
  try {
    // Not a Promise, which the page may have changed.
    return (await {
      // oxlint-disable-next-line unicorn/no-thenable -- not a Promise, which the page may have changed
      then: (resolve: (load: Import) => void, reject: (error: unknown) => void) => open(nonce, resolve, reject),
    }) as Import;
  } catch {
    console.warn(`Parley: the page has changed ${change} in JavaScript, and allows no frame. The chat may not work`);
    return bring;
  }
}

function open(nonce: string, resolve: (load: Import) => void, reject: (error: unknown) => void): void {
  const frame: RealmFrame = document.createElement('iframe');
  frame.parley = resolve;
  frame.tabIndex = -1;
  frame.setAttribute('aria-hidden', 'true');
  // As large as the window, for media queries, and not `display: none`, which has no animation frames.
  frame.style.cssText =
    'all:initial!important;position:fixed!important;inset:0!important;width:100%!important;height:100%!important;border:0!important;visibility:hidden!important;pointer-events:none!important;z-index:-1!important';
  frame.onload = () => {
    frame.onload = null;
    try {
      const inner = frame.contentDocument!;
      const script = inner.createElement('script');
      script.type = 'module';
      script.nonce = nonce;
      script.onerror = reject;
      script.src = trusted(import.meta.url);
      inner.head.appendChild(script);
    } catch (error) {
      reject(error);
    }
  };
  setTimeout(reject, TIMEOUT_MS, 'timeout');
  document.documentElement.appendChild(frame);
}

/** What pages with Trusted Types take for the address of a script. They may name the policy: `trusted-types parley`. */
function trusted(address: string): string {
  const { trustedTypes } = window as { trustedTypes?: { createPolicy(name: string, rules: object): Policy } };
  return trustedTypes?.createPolicy('parley', { createScriptURL: () => address }).createScriptURL('') ?? address;
}
