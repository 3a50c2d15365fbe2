export { default as styles } from './styles.css?inline';
export { Chats } from './list.js';
