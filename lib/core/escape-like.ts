/** What somebody looks for, for LIKE and Prisma's `contains`: their signs that stand for anything stand for themselves. */
export const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
