import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { type Check, type Finding, ok, warning, wrong } from '../check.ts'

const OLDEST_NODE = [20, 19] as const
const TESTED_NODE = 24
const GIB = 2 ** 30
const LOW_BYTES = GIB
const FULL_BYTES = 100 * 2 ** 20

/** Node's version, and the room in the folder of media. */
export const machine: Check = {
  name: 'machine',
  run: async ({ settings }) => [
    nodeFinding(process.versions.node),
    ...(settings.S3_BUCKET ? [] : [await diskFinding(settings.MEDIA_DIR)]),
  ],
}

export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]))
    return wrong('Node', `Version ${version} is too old.`, `Install Node ${TESTED_NODE}.`)
  return major < TESTED_NODE
    ? warning('Node', `Version ${version} works, and is not what the tests run on.`, `Install Node ${TESTED_NODE}.`)
    : ok('Node', `Version ${version}.`)
}

async function diskFinding(folder: string): Promise<Finding> {
  const free = await freeBytes(path.resolve(folder))
  const detail = `${(free / GIB).toFixed(1)} GiB are free for ${folder}.`
  const remedy = 'Make room, or move MEDIA_DIR to a larger disk or media into a bucket (S3_BUCKET).'
  if (free < FULL_BYTES) return wrong('MEDIA_DIR', detail, remedy)
  return free < LOW_BYTES ? warning('MEDIA_DIR', detail, remedy) : ok('MEDIA_DIR', detail)
}

/** Of the folder, or of the nearest one above it that exists. */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (error) {
    const above = path.dirname(folder)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === folder) throw error
    return freeBytes(above)
  }
}
