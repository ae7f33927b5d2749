import { spawnSync } from 'node:child_process'
import fs from 'node:fs'

export const HOW_TO_GET_CHROMIUM = `The browser tests need Chromium, and there is none here. Install it with
  sudo apt-get update && sudo apt-get install -y chromium
(or set CHROMIUM_PATH to one), and run npm test again.`

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** A Chromium to run the browser tests in; root gets one installed. null: there is none, and we may not install it. */
export function findChromium(): string | null {
  const given = process.env.CHROMIUM_PATH
  if (given) return fs.existsSync(given) ? given : null
  return firstOf(PLACES) ?? (mayInstall() ? installChromium() : null)
}

const firstOf = (places: string[]): string | null => places.find((place) => fs.existsSync(place)) ?? null

const mayInstall = (): boolean => process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0

function installChromium(): string | null {
  console.log('Installing Chromium')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env })
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation'], {
    stdio: 'inherit',
    env,
  })
  return firstOf(PLACES)
}
