import '../../headless/files/view/shown.css';
import '../../headless/files/view/chosen.css';
import '../styles/files.css';
import '../styles/writing.css';

// What isn't part of the first load: it's loaded after the first view, or with the first file, cards, or form.

export { ChosenList, DraftFilesView } from './draft-files-view.js';
export { closeDrafts, draftFilesOf, editedFilesOf } from './draft-files.js';
export { DropZone } from './drop-zone.js';
export { MessageFiles, ViewerOf } from './message-files.js';
export { Offers } from './offers.js';
export { fileWords, loadFileWords } from './words.js';
export { Writing } from '../writing/writing.js';
