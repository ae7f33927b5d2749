const isDigit = (codePoint: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(codePoint))

/** Scripts have their digits in runs of ten from zero to nine, and no run begins right after another one within ten. */
function valueOf(digit: string): string {
  const codePoint = digit.codePointAt(0)!
  let before = 0
  while (isDigit(codePoint - before - 1)) before++
  return String(before % 10)
}

/** The text with the digits of every script (Arabic-Indic, Persian, Devanagari, full width …) written as 0 to 9. */
export const plainDigits = (text: string): string => text.replace(/[^\P{Nd}0-9]/gu, valueOf)
