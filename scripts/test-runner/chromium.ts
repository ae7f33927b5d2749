import fs from 'node:fs'
import { installPackages } from './apt.ts'

export const HOW_TO_GET_CHROMIUM = `The browser tests need Chromium, and there is none here. Install it with
  sudo apt-get update && sudo apt-get install -y chromium-headless-shell
(or set CHROMIUM_PATH to one), and run npm test again.`

/** It draws no window and needs half the processor time of a whole browser, so two of them share two cores. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
const OTHERS = [
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
  if (given) return firstOf([given])
  return firstOf([HEADLESS_SHELL]) ?? installed('chromium-headless-shell') ?? firstOf(OTHERS) ?? installed('chromium')
}

const firstOf = (places: string[]): string | null => places.find((place) => fs.existsSync(place)) ?? null

function installed(name: string): string | null {
  if (!installPackages(name, 'fonts-liberation')) return null
  return firstOf([`/usr/bin/${name}`])
}
