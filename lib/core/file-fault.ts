const FULL = 'its disk is full: free or add space'
const FAULTS: Record<string, string> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: 'it is read-only: mount it so that it can be written',
  EACCES: 'this user may not use it: see its owner and rights',
  EPERM: 'this user may not use it: see its owner and rights',
  EIO: 'its disk fails: look at the log of the machine',
}

/**
 * The fault of a file or folder and its remedy, by the code of the error. null: no code, or one that we have no words
 * for.
 */
export const fileFault = (error: unknown): string | null => FAULTS[(error as NodeJS.ErrnoException).code ?? ''] ?? null
