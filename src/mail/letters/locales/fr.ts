import type { Words } from '../words.js';

/** The words in French. */
export const fr: Words = {
  testSubject: 'Mail de test de {name}',
  testText: 'Ce mail montre que Parley peut envoyer des e-mails pour {name}.',
  invitationSubject: 'Votre invitation à {name}',
  invitationText: 'Vous pouvez répondre aux discussions de {name}. Connectez-vous avec ce lien :',
  invitationButton: 'Se connecter',
  invitationEnd: 'Le lien fonctionne une fois, pendant 72 heures.',
  resetSubject: 'Réinitialisez votre mot de passe pour {name}',
  resetText: 'Un nouveau mot de passe a été demandé pour cette adresse chez {name}. Choisissez-le avec ce lien :',
  resetButton: 'Choisir un mot de passe',
  resetEnd: 'Le lien fonctionne une fois, pendant une heure. Si vous ne l’avez pas demandé, ignorez ce mail.',
  chatSubject: 'Votre discussion avec {name}',
  missedText: '{name} a répondu pendant votre absence :',
  missedUnverified: 'Une réponse vous attend dans votre discussion avec {name}. Ouvrez-la pour la lire.',
  more: '… et {count} de plus',
  earlier: 'Avant cela',
  you: 'Vous',
  openChat: 'Ouvrir la discussion',
  linkEnd: 'Le lien est valable 72 heures.',
  notYou: 'Si vous n’avez pas écrit à {name}, ouvrez le lien et choisissez « Ce n’est pas moi ».',
  unsubscribe: 'Se désabonner',
  unsubscribeAsk: 'Ne plus recevoir à cette adresse d’e-mails sur les réponses manquées de {name} ?',
  unsubscribed: 'Vous ne recevrez plus ces e-mails.',
};
