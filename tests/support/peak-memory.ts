import { readFileSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The result of some work, and by how many MB this process grew meanwhile, threads included. */
export async function peakMemory<T>(work: () => Promise<T>): Promise<{ result: T; mb: number }> {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  writeFileSync('/proc/self/clear_refs', '5') // the peak begins anew
  const before = kilobytes('VmRSS')
  const result = await work()
  return { result, mb: (kilobytes('VmHWM') - before) / 1024 }
}

const kilobytes = (name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))![1])
