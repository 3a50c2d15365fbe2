export { default as styles } from './styles.css?inline';
export { Cards } from './cards.js';
export { Questions } from './questions.js';
