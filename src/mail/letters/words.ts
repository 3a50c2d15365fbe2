/** What mails say in one language. `{name}` is the organization's name. */
export interface Words {
  testSubject: string;
  testText: string;
  invitationSubject: string;
  invitationText: string;
  invitationButton: string;
  invitationEnd: string;
  resetSubject: string;
  resetText: string;
  resetButton: string;
  resetEnd: string;
  chatSubject: string;
  missedText: string;
  missedUnverified: string;
  transcriptText: string;
  transcriptUnverified: string;
  transcriptCut: string;
  more: string;
  earlier: string;
  you: string;
  openChat: string;
  canReply: string;
  linkEnd: string;
  notYou: string;
  since: string;
  notMe: string;
  linkEnded: string;
  addressRemoved: string;
  tryAgain: string;
  elsewhere: string;
  unsubscribe: string;
  unsubscribeAsk: string;
  unsubscribed: string;
}
