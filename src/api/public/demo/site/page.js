import { session } from './session.js';

if (session) void import('./shop.js');
else {
  document.getElementById('shop').hidden = true;
  document.getElementById('locked').hidden = false;
}
// Another key pasted into the same tab changes the hash alone.
addEventListener('hashchange', () => location.hash.startsWith('#key=') && location.reload());
