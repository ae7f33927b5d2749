/** Escapes `\`, `%` and `_` in a search text, so that LIKE and Prisma's `contains` match them literally. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
