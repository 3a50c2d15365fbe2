import { session } from './session.js';

if (session) void import('./shop.js');
else {
  document.getElementById('shop').hidden = true;
  document.getElementById('locked').hidden = false;
}
// Pasting another key into the same tab changes only the hash.
addEventListener('hashchange', () => location.hash.startsWith('#key=') && location.reload());
