// The script that a site includes. It adds one global and one element at the end of the document, and blocks nothing.
// The chat itself is loaded when it is needed.
import { installApi } from './launcher/api.js';
import { readAttributes } from './launcher/attributes.js';
import { Widget } from './launcher/widget.js';

// `currentScript` is set only while the script runs.
const script = (document.currentScript ??
  document.querySelector('script[data-widget-key]')) as HTMLScriptElement | null;
const widgetKey = script?.dataset.widgetKey;

const loadedKey = window.Parley?.isLoaded;

if (!script || !widgetKey || (loadedKey ?? widgetKey) !== widgetKey)
  console.error('Parley: a script needs data-widget-key');
// A page that is swapped in runs it again.
else if (!loadedKey) installApi(widgetKey, new Widget(script, widgetKey, readAttributes(script)).commands());
