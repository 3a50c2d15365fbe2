import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Chat } from './chat.jsx';

createRoot(document.getElementById('root')).render(
  <StrictMode>
    <Chat url={import.meta.env.VITE_PARLEY_URL} widgetKey={import.meta.env.VITE_WIDGET_KEY} />
  </StrictMode>,
);
