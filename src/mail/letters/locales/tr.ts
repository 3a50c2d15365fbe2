import type { Words } from '../words.js';

/** The words in Turkish. */
export const tr: Words = {
  testSubject: '{name} deneme e-postası',
  testText: 'Bu e-posta, Parley’in {name} için e-posta gönderebildiğini gösterir.',
  invitationSubject: '{name} davetiniz',
  invitationText: '{name} sohbetlerini yanıtlayabilirsiniz. Bu bağlantıyla oturum açın:',
  invitationButton: 'Oturum aç',
  invitationEnd: 'Bağlantı bir kez, 72 saat boyunca çalışır.',
  resetSubject: '{name} için yeni parola',
  resetText: '{name} üzerinde bu adres için yeni bir parola istendi. Bu bağlantıyla bir parola seçin:',
  resetButton: 'Parola seç',
  resetEnd: 'Bağlantı bir kez, bir saat boyunca çalışır. Siz istemediyseniz bu e-postayı yok sayın.',
  chatSubject: '{name} ile sohbetiniz',
  missedText: 'Siz yokken {name} yanıt verdi:',
  missedUnverified: '{name} ile sohbetinizde bir yanıt var. Okumak için sohbeti açın.',
  more: '… ve {count} tane daha',
  earlier: 'Öncesi',
  you: 'Siz',
  openChat: 'Sohbeti aç',
  linkEnd: 'Bağlantı 72 saat geçerlidir.',
  notYou: '{name} ile siz yazışmadıysanız bağlantıyı açıp “Bu ben değilim” seçeneğini seçin.',
  unsubscribe: 'Abonelikten çık',
  unsubscribeAsk: 'Bu adrese {name} yanıtları hakkında artık e-posta gönderilmesin mi?',
  unsubscribed: 'Bu e-postaları artık almayacaksınız.',
};
