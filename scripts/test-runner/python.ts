import { spawnSync } from 'node:child_process'
import { installPackages } from './apt.ts'

const isThere = (): boolean => spawnSync('python3', ['--version']).status === 0

/** Throws, with what to do, where there is no Python 3; root gets one installed. */
export function assertPython(): void {
  if (isThere() || (installPackages('python3') && isThere())) return
  throw new Error(
    'The tests of the Python client need python3, and there is none here. Install it, and run npm test again.',
  )
}
