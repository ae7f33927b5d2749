/** The text with a full stop, unless it ends like a sentence already. */
export const sentenceOf = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
