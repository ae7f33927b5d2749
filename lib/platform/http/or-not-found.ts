import { notFound } from 'next/navigation'
import { AppError } from '../../core/errors.ts'
import { isUuid } from '../../core/id.ts'

/** A page over one record: unknown, malformed and foreign ids all show the same page. */
export async function orNotFound<T>(id: string, get: (id: string) => Promise<T>): Promise<T> {
  if (!isUuid(id)) notFound()
  try {
    return await get(id)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') notFound()
    throw error
  }
}
