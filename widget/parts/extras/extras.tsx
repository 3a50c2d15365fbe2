// What not every visitor needs of the panel: one file of at most 6 kB, loaded when something of it is shown.
export { default as styles } from './styles.css?inline';
export { BeforeChat, Ended } from './ended.js';
export { Foot } from './foot.js';
export { Greeting } from './greeting.js';
export { Person } from './person.js';
export { Welcome } from './welcome.js';
