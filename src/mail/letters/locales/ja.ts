import type { Words } from '../words.js';

/** The words in Japanese. */
export const ja: Words = {
  testSubject: '{name} のテストメール',
  testText: 'このメールは、Parley が {name} のメールを送信できることを示します。',
  invitationSubject: '{name} への招待',
  invitationText: '{name} のチャットに返信できます。このリンクでサインインしてください。',
  invitationButton: 'サインイン',
  invitationEnd: 'リンクは 72 時間、1 回だけ有効です。',
  resetSubject: '{name} のパスワード再設定',
  resetText: '{name} でこのアドレスの新しいパスワードが求められました。このリンクで設定してください。',
  resetButton: 'パスワードを設定',
  resetEnd: 'リンクは 1 時間、1 回だけ有効です。心当たりがなければ、このメールは無視してください。',
  chatSubject: '{name} とのチャット',
  missedText: '不在中に {name} から返信がありました。',
  missedUnverified: '{name} とのチャットに返信があります。チャットを開いてお読みください。',
  more: '… ほか {count} 件',
  earlier: 'それ以前',
  you: 'あなた',
  openChat: 'チャットを開く',
  linkEnd: 'リンクは 72 時間有効です。',
  notYou: '{name} に書いた覚えがなければ、リンクを開いて「私ではありません」を選んでください。',
  unsubscribe: '配信停止',
  unsubscribeAsk: '{name} の未読の返信についてのメールを、このアドレスに送らないようにしますか。',
  unsubscribed: '今後このメールは届きません。',
};
