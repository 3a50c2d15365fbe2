export { default as styles } from './styles.css?inline';
export { Lightbox } from './lightbox.js';
export { PictureView } from './picture-view.js';
