import { fill } from '../../headless/text.js';
import { useKit } from './kit.js';
import { useObservable } from './observable.js';

/** Three dots while a bot or an agent is typing. */
export function Typing() {
  const { client, strings } = useKit();
  const [sender] = useObservable(client.typing);
  if (!sender) return null;
  return (
    <div class="row theirs first last">
      <div class="bubble dots">
        <i />
        <i />
        <i />
        <span class="hidden">{fill(strings.typing, { name: sender.name || strings.team })}</span>
      </div>
    </div>
  );
}
