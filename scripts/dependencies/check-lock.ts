import semver from 'semver'
import { LICENCES, UNUSUAL_LICENCES } from './licences.ts'
import { VULNERABLE, type Vulnerable } from './vulnerable.ts'

type Locked = {
  version?: string
  integrity?: string
  resolved?: string
  link?: boolean
  license?: string
  inBundle?: boolean
  /** Of the project itself: the folders of its workspaces. */
  workspaces?: string[]
}
export type Lock = { lockfileVersion: number; packages: Record<string, Locked> }

const REGISTRY = 'https://registry.npmjs.org/'

/**
 * The faults of a lock file, a sentence each: packages without integrity, from elsewhere than the registry, with a
 * licence that isn't listed, or known to be vulnerable.
 */
export function faultsOf({ lockfileVersion, packages }: Lock): string[] {
  if (lockfileVersion !== 3) return [`The lock file has version ${lockfileVersion}; this check reads version 3.`]
  const workspaces = packages['']?.workspaces ?? []
  const isOwn = (place: string, { link, resolved = '' }: Locked): boolean =>
    place === '' || workspaces.includes(place) || (link === true && workspaces.includes(resolved))
  return Object.entries(packages).flatMap(([place, locked]) =>
    isOwn(place, locked) ? [] : packageFaults(place, { ...locked, integrity: integrityOf(packages, place) }),
  )
}

/** A package in the bundle of another comes with its archive, whose integrity counts for both. */
function integrityOf(packages: Lock['packages'], place: string): string | undefined {
  const { integrity, inBundle } = packages[place]!
  const bundle = place.slice(0, place.lastIndexOf('/node_modules/'))
  return inBundle && packages[bundle] ? integrityOf(packages, bundle) : integrity
}

function packageFaults(place: string, { version = '', integrity, resolved, link, license }: Locked): string[] {
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const title = `${name} ${version}`
  const faults: string[] = []
  if (link || (resolved !== undefined && !resolved.startsWith(REGISTRY)))
    faults.push(`${title} comes from ${resolved ?? place}, not from the registry.`)
  if (!integrity?.startsWith('sha512-')) faults.push(`${title} has no SHA-512 integrity.`)
  if (!isListed(name, license)) faults.push(`${title} has the licence ${license ?? '(none)'}, which isn't listed.`)
  for (const known of VULNERABLE)
    if (known.name === name && isAffected(version, known))
      faults.push(`${title} is known to be vulnerable: ${known.what} (${known.advisory}).`)
  return faults
}

/** Of alternatives one must be listed; of licences that apply together, all. */
function isListed(name: string, license: string | undefined): boolean {
  const unusual = UNUSUAL_LICENCES[name]
  if (unusual) return unusual.written === license
  if (!license) return false
  const alternatives = license.replace(/^\((.*)\)$/, '$1').split(' OR ')
  return alternatives.some((alternative) => alternative.split(' AND ').every((one) => Object.hasOwn(LICENCES, one)))
}

function isAffected(version: string, known: Vulnerable): boolean {
  if ('exactly' in known) return known.exactly.includes(version)
  return semver.lt(version, known.below) && semver.gte(version, known.from ?? '0.0.0')
}
