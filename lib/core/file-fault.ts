const FULL = 'its disk is full: free or add space'
const FAULTS: Record<string, string> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: 'it is read-only: mount it so that it can be written',
  EACCES: 'this user may not use it: see its owner and rights',
  EPERM: 'this user may not use it: see its owner and rights',
  EIO: 'its disk fails: look at the log of the machine',
}

/** What is wrong with a file or folder, and what to do, by the code of the error; null where it has none that we know. */
export const fileFault = (error: unknown): string | null => FAULTS[(error as NodeJS.ErrnoException).code ?? ''] ?? null
