/**
 * The form of a text in which searches compare it: lower case, one form of Unicode (NFC), "ss" for "ß", and one i for
 * those of Turkish. The database's function search_form does the same.
 */
export const searchFormOf = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[İı]/g, 'i')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/i\u0307/g, 'i')
