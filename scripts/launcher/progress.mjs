// A line about work that takes long: on a terminal it moves and says what is left by the time that it took last. Plain
// JavaScript, since it also runs before packages are installed.
import fs from 'node:fs'
import path from 'node:path'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const WIDTH = 24
const REDRAW_MS = 120
/** How often a log gets a line. */
const PLAIN_MS = 15_000

/** The moving line of each work, in the order they began. */
const moving = new Map()
const erase = () => process.stdout.write('\u001b[2K\r')
/** One line at most is drawn, so that it can be erased whatever the terminal does with long ones. */
const draw = () => {
  const lines = [...moving.values()]
  if (lines.length > 0) process.stdout.write(lines.at(-1).slice(0, Math.max(20, (process.stdout.columns || 80) - 1)))
}

/** Prints a line above those that move. */
export function print(line = '') {
  if (moving.size > 0) erase()
  console.log(line)
  draw()
}

/**
 * What is left of a work, in words and as a bar.
 * @param {number} spentMs
 * @param {number} expectedMs
 */
export function leftOf(spentMs, expectedMs) {
  const part = Math.min(spentMs / expectedMs, 1)
  const bar = '━'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '─')
  const seconds = Math.ceil((expectedMs - spentMs) / 1000)
  return { bar, words: seconds > 0 ? `about ${seconds} s left` : 'longer than expected' }
}

/**
 * Does a work and shows how far it may be.
 * @template T
 * @param {{ root: string, name: string, title: string, usualSeconds: number }} about `usualSeconds` counts until this
 *   machine has done the work once
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress({ root, name, title, usualSeconds }, work) {
  const file = path.join(root, 'node_modules/.cache/vitrine-times.json')
  const expected = (timesIn(file)[name] ?? usualSeconds) * 1000
  const started = Date.now()
  const spent = () => Date.now() - started
  const isTerminal = process.stdout.isTTY && !process.env.CI
  let frame = 0
  const show = () => {
    const { bar, words } = leftOf(spent(), expected)
    if (!isTerminal) return print(`  … ${title}: ${words}`)
    moving.set(name, `  ${FRAMES[frame++ % FRAMES.length]} ${title} ${bar} ${words}`)
    erase()
    draw()
  }
  show()
  const timer = setInterval(show, isTerminal ? REDRAW_MS : PLAIN_MS)
  try {
    const result = await work()
    remember(file, name, Math.max(1, Math.round(spent() / 1000)))
    return result
  } finally {
    clearInterval(timer)
    if (moving.delete(name)) erase()
    draw()
  }
}

/**
 * @param {string} file
 * @returns {Record<string, number>} seconds
 */
function timesIn(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

/**
 * @param {string} file
 * @param {string} name
 * @param {number} seconds
 */
function remember(file, name, seconds) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, JSON.stringify({ ...timesIn(file), [name]: seconds }))
}
