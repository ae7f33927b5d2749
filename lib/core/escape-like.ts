/** What somebody looks for, for LIKE and Prisma's `contains`: their signs that stand for anything stand for themselves. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
