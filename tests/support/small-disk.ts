import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { atFileEnd } from './file-end.ts'

const MIB = 1 << 20

/**
 * A disk of this test file's own, in memory: it can be filled and made read-only. Mounting one needs root with
 * CAP_SYS_ADMIN, since nothing else says ENOSPC and EROFS as a disk does: a bound of a process is another error
 * (EFBIG), and rights don't bind root.
 */
export function mountSmallDisk(mebibytes: number) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-disk-'))
  const ballast = path.join(folder, 'ballast')
  const mount = (...args: string[]) => {
    try {
      execFileSync('mount', args, { stdio: 'pipe' })
    } catch (error) {
      throw new Error('A small disk can’t be mounted: run this as root, in a container with --cap-add SYS_ADMIN.', {
        cause: error,
      })
    }
  }
  mount('-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=755`, 'vitrine-disk', folder)
  atFileEnd(() => {
    execFileSync('umount', ['--lazy', folder])
    fs.rmdirSync(folder)
  })
  return {
    folder,
    /** Takes all space that is left. */
    fill(): void {
      const file = fs.openSync(ballast, 'a')
      try {
        for (let bytes = MIB; bytes >= 4096; bytes /= 4) writeUntilFull(file, Buffer.alloc(bytes))
      } finally {
        fs.closeSync(file)
      }
    },
    /** Gives back what `fill` took. */
    free: () => fs.rmSync(ballast, { force: true }),
    setReadOnly: (isReadOnly: boolean) => mount('-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, folder),
  }
}

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    for (;;) if (fs.writeSync(file, bytes) < bytes.length) return
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
