import { useState } from 'react';
import { useChat } from './use-chat.js';

const STATES = { sending: 'Sending…', queued: 'Waiting…', failed: 'Not sent' };

export function Chat(options) {
  const { client, entries, typists, connection } = useChat(options);
  const [text, setText] = useState('');

  function write(event) {
    setText(event.target.value);
    client.setTyping(event.target.value !== '');
  }

  function send(event) {
    event.preventDefault();
    if (!text.trim()) return;
    // A message that can't be sent stays in the list, as failed.
    client.send(text).catch(() => undefined);
    setText('');
  }

  return (
    <section aria-label="Chat" onFocus={() => client.read()}>
      {connection.state === 'offline' && <p role="status">Connecting…</p>}
      {connection.state === 'refused' && <p role="alert">The chat isn't available right now</p>}
      <ol>
        {entries.map(({ key, message, isMine, pending }) => (
          <li key={key}>
            <b>{isMine ? 'You' : (message.sender.name ?? 'Team')}:</b> {message.content}
            {pending && <small> {STATES[pending.state]}</small>}
            {pending?.state === 'failed' && <button onClick={() => client.retry(key)}>Try again</button>}
          </li>
        ))}
      </ol>
      {typists.map(({ id, name, text: soFar }) => (
        <p key={id}>{soFar ?? `${name ?? 'Team'} is typing…`}</p>
      ))}
      <form onSubmit={send}>
        <input aria-label="Message" value={text} onChange={write} />
        <button disabled={!text.trim()}>Send</button>
      </form>
    </section>
  );
}
