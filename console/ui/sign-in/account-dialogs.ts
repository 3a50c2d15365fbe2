export { ProfileDialog as profile } from './profile-dialog.js';
export { SessionsDialog as sessions } from './sessions-dialog.js';
