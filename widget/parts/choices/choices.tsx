export { default as styles } from './styles.css?inline';
export { Buttons } from './buttons.js';
export { Citations } from './citations.js';
export { QuickReplies } from './quick-replies.js';
