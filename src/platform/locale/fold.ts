/**
 * Folds a text for comparison, as people search names and addresses: two texts match if their folded forms are the same. It's Unicode's
 * full case folding of the composed form (NFC), and the letter i is the same with, without, and above a dot, because Turkish writes I and İ
 * in capitals. So `ÉLODIE` matches `élodie` in both of its forms, `ИВАН` `иван`, `STRASSE` `Straße`, `ΟΔΟΣ` `Οδος`, and `IŞIK` `ışık`.
 * Accents count: `elodie` doesn't match `élodie`. The function `fold_text` does the same in databases of every locale. The console uses
 * this file too.
 */
export function foldText(text: string): string {
  const folded = text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase();
  return folded.replaceAll('ς', 'σ').replaceAll('i\u0307', 'i').normalize('NFC');
}
