// The launcher's output: one line for each step, with the time it took.
import { print } from './progress.mjs'

const colours = process.stdout.isTTY && !process.env.NO_COLOR
const paint = (code: number) => (text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text)
export const bold = paint(1)
export const dim = paint(2)
export const red = paint(31)
const green = paint(32)
export const yellow = paint(33)
export const cyan = paint(36)

export const say = (line = '') => print(line)

const seconds = (from: number) => `${((Date.now() - from) / 1000).toFixed(1)} s`

/**
 * Does one step and prints how long it took, with a remark about its result such as the address something listens on.
 */
export async function step<T>(
  name: string,
  work: () => Promise<T>,
  remark: (result: T) => string = () => '',
): Promise<T> {
  const started = Date.now()
  try {
    const result = await work()
    say(`  ${green('✓')} ${name.padEnd(14)} ${seconds(started).padStart(7)}   ${dim(remark(result))}`)
    return result
  } catch (error) {
    say(`  ${red('✗')} ${name.padEnd(14)} ${seconds(started).padStart(7)}`)
    throw error
  }
}
