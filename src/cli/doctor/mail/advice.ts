/** What a mail server says when it refuses a sign-in, and what to do. */
const REFUSALS: readonly [what: RegExp, advice: string][] = [
  [
    /5\.7\.139|5\.7\.30|basic authentication is disabled/i,
    'Microsoft takes no passwords: set MAIL_OAUTH_PROVIDER=microsoft, and run npx parley mail authorize (docs/operate/mail.md)',
  ],
  [
    /application-specific password|5\.7\.9\b|web login required/i,
    'Google takes no account passwords: set MAIL_OAUTH_PROVIDER=google, or use an app password (docs/operate/mail.md)',
  ],
  [
    /AUTHENTICATIONFAILED|authentication failed|invalid credentials|login failed|^(?:the server says: )?535/i,
    'the server refuses the user or the password: check both, and whether the account allows this protocol',
  ],
];

/** Advice for an error of a mail server. @param otherwise the advice for any other error */
export function adviseMail(error: string, otherwise: string): string {
  return REFUSALS.find(([what]) => what.test(error))?.[1] ?? otherwise;
}
