import { notFound } from 'next/navigation'
import { AppError } from '../../core/errors.ts'
import { isUuid } from '../../core/id.ts'

/** Reads the record of a page. Unknown, malformed and another organization's ids all show the same not-found page. */
export async function orNotFound<T>(id: string, get: (id: string) => Promise<T>): Promise<T> {
  if (!isUuid(id)) notFound()
  try {
    return await get(id.toLowerCase())
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') notFound()
    throw error
  }
}
