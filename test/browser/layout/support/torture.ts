/** The worst contents that people and bots may write, for the layout. */
export const TORTURE = {
  word: 'Donaudampfschifffahrt'.repeat(238),
  code: `Run this:\n\n\`\`\`sh\n${'--option=value '.repeat(20)}\necho done\n\`\`\``,
  lists: [
    'You need:',
    '',
    '1. A **tent**',
    '   - with pegs',
    '     - of steel',
    '       1. long ones',
    '       2. short ones',
    '   - and lines',
    '2. A map that is a line longer than a narrow screen has room for, so that it goes on in the next',
    '',
    '   > A quote in a list',
    '',
    '- [x] Done',
    '- [ ] To do',
  ].join('\n'),
  table: table(10, 4),
  heading:
    '# Heading\n\nText with `code`, *marks*, ~~none~~ and [a link](https://example.com/a/very/long/path)\n\n---\n\nEnd',
  link: `https://example.com/${'path-'.repeat(60)}?q=1`,
  arabic: 'مرحبا، أين طلبي رقم 12345؟ أريد التحدث مع شخص من فضلك (الآن) — شكرا!',
  hebrew: 'שלום, איפה ההזמנה שלי מספר 12345? אני רוצה לדבר עם נציג (עכשיו), תודה!',
  chinese: '你好，我的订单在哪里？我想和客服人员谈谈，请帮我查询一下订单号一二三四五六七八九十。',
  thai: 'สวัสดีครับ คำสั่งซื้อของฉันอยู่ที่ไหน ฉันต้องการคุยกับเจ้าหน้าที่',
  emoji: '👨‍👩‍👧‍👦👩‍👩‍👦🏳️‍🌈👍🏽'.repeat(12),
  zalgo: 'Z̵̢̛͎̗̝̬̈́̔a̶̡̧̘͈͐l̴̢̙̈́g̶̦̈o̵̦͌ says hello',
} as const;

/** The longest possible name: 200 characters. */
export const LONG_NAME =
  'Bartholomäus Oberhuber-Schwarzenberger von und zu Donaudampfschifffahrtsgesellschaftskapitänswitwe'
    .padEnd(150, ' genannt Waltraud')
    .padEnd(200, 'Straßenbahnhaltestellenhäuschen');

export const NAMES = {
  arabic: 'عبد الرحمن بن محمد الخطيب الأنصاري',
  hebrew: 'יעקב בן־אברהם הכהן מירושלים',
  chinese: '欧阳娜娜与她的朋友们一起在北京',
  emoji: '👨‍👩‍👧‍👦👩‍👩‍👦 Family',
} as const;

/** Twenty options, the last of them long. */
export const OPTIONS = Array.from({ length: 20 }, (_, index) => ({
  label:
    index === 19
      ? 'Ich möchte mit einer Mitarbeiterin der Rechnungsabteilung sprechen, und zwar sofort'
      : `Antwort ${index + 1}`,
  value: `answer-${index}`,
}));

function table(columns: number, rows: number): string {
  const cells = (word: string) => `| ${Array.from({ length: columns }, (_, at) => `${word} ${at + 1}`).join(' | ')} |`;
  const rule = `|${' --- |'.repeat(columns)}`;
  return ['Prices:', '', cells('Spalte'), rule, ...Array.from({ length: rows }, (_, at) => cells(`Wert${at}`))].join(
    '\n',
  );
}
