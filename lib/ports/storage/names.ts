import { extname } from 'node:path'

const TYPES: Record<string, string> = {
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
}
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,150}\.[a-z]{3,4}$/

/** The content type of a stored file by its name; null for a name that storage never uses. */
export const contentTypeOf = (name: string): string | null => (NAME.test(name) ? (TYPES[extname(name)] ?? null) : null)

/** Throws an Error unless the name is valid and its ending fits the content type. */
export function assertName(name: string, contentType: string): void {
  if (contentTypeOf(name) !== contentType) throw new Error(`Not a name for ${contentType}: ${name}.`)
}
