import type { Words } from '../words.js';

/** The words in Arabic. */
export const ar: Words = {
  testSubject: 'رسالة تجريبية من {name}',
  testText: 'تُظهر هذه الرسالة أن Parley يستطيع إرسال البريد لصالح {name}.',
  invitationSubject: 'دعوتك إلى {name}',
  invitationText: 'يمكنك الرد على محادثات {name}. سجّل الدخول بهذا الرابط:',
  invitationButton: 'تسجيل الدخول',
  invitationEnd: 'يعمل الرابط مرة واحدة لمدة 72 ساعة.',
  resetSubject: 'كلمة مرور جديدة لدى {name}',
  resetText: 'طُلبت كلمة مرور جديدة لهذا العنوان لدى {name}. اخترها بهذا الرابط:',
  resetButton: 'اختيار كلمة مرور',
  resetEnd: 'يعمل الرابط مرة واحدة لمدة ساعة. إن لم تطلبه فتجاهل هذه الرسالة.',
  chatSubject: 'محادثتك مع {name}',
  missedText: 'ردّ {name} أثناء غيابك:',
  missedUnverified: 'يوجد رد في محادثتك مع {name}. افتح المحادثة لقراءته.',
  more: '… و{count} غيرها',
  earlier: 'قبل ذلك',
  you: 'أنت',
  openChat: 'فتح المحادثة',
  linkEnd: 'الرابط صالح لمدة 72 ساعة.',
  notYou: 'إن لم تكتب إلى {name} فافتح الرابط واختر «لست أنا».',
  unsubscribe: 'إلغاء الاشتراك',
  unsubscribeAsk: 'إيقاف الرسائل عن الردود الفائتة من {name} إلى هذا العنوان؟',
  unsubscribed: 'لن تصلك هذه الرسائل بعد الآن.',
};
