import { env } from './env.ts'
import { oncePerProcess } from './once-per-process.ts'

/**
 * Like `oncePerProcess`, of what is made of the project's own files. While they are edited it is made anew for each
 * use.
 */
export const madeOnce = <T>(name: string, make: () => T): T =>
  env.NODE_ENV === 'development' ? make() : oncePerProcess(name, make)
