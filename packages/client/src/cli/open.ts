import { spawn } from 'node:child_process'
import { Misuse, originOf } from './settings.ts'

const PAGES: Readonly<Record<string, string>> = { dashboard: '/dashboard', inbox: '/dev/mail', docs: '/docs' }

/** Shows the address of a page and opens it, where this machine has a browser. */
export async function open(values: { origin?: string | undefined }, page = 'dashboard'): Promise<void> {
  const path = PAGES[page]
  if (!path) throw new Misuse(`vitrine open takes ${Object.keys(PAGES).join(', ')}.`)
  const url = `${originOf(values)}${path}`
  console.log(url)
  const [program, ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' })
  child.on('error', () => undefined) // without a browser the address is shown all the same
  child.unref()
}
