import type { Words } from '../words.js';

/** The words in Chinese. */
export const zh: Words = {
  testSubject: '{name} 的测试邮件',
  testText: '这封邮件表明 Parley 可以为 {name} 发送邮件。',
  invitationSubject: '{name} 的邀请',
  invitationText: '您可以回复 {name} 的对话。请用此链接登录：',
  invitationButton: '登录',
  invitationEnd: '链接在 72 小时内可使用一次。',
  resetSubject: '重置您在 {name} 的密码',
  resetText: '有人在 {name} 为此地址申请了新密码。请用此链接设置：',
  resetButton: '设置密码',
  resetEnd: '链接在一小时内可使用一次。如果不是您申请的，请忽略此邮件。',
  chatSubject: '您与 {name} 的对话',
  missedText: '您离开时，{name} 回复了您：',
  missedUnverified: '您与 {name} 的对话中有新回复。请打开对话查看。',
  more: '… 还有 {count} 条',
  earlier: '此前',
  you: '您',
  openChat: '打开对话',
  linkEnd: '链接在 72 小时内有效。',
  notYou: '如果您没有联系过 {name}，请打开链接并选择“不是我”。',
  unsubscribe: '退订',
  unsubscribeAsk: '不再向此地址发送关于 {name} 未读回复的邮件吗？',
  unsubscribed: '您将不再收到这些邮件。',
};
