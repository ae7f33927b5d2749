import { spawnSync } from 'node:child_process'

/** Whether this process may install packages of the system: it is root, and the system is Debian's kind. */
const mayInstall = (): boolean => process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0

/** Installs packages by apt-get. false: we may not. */
export function installPackages(...names: string[]): boolean {
  if (!mayInstall()) return false
  console.log(`Installing ${names[0]}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env })
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { stdio: 'inherit', env })
  return true
}
