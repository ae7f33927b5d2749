/**
 * Licences that a package may have, by SPDX identifier, with the reason. What we deploy is MIT; the packages are
 * installed beside it, unchanged.
 */
export const LICENCES: Readonly<Record<string, string>> = {
  MIT: 'permissive',
  'MIT-0': 'permissive, without attribution',
  ISC: 'permissive',
  'Apache-2.0': 'permissive, with a patent grant',
  'BSD-2-Clause': 'permissive',
  'BSD-3-Clause': 'permissive',
  '0BSD': 'permissive, without attribution',
  'BlueOak-1.0.0': 'permissive',
  'Python-2.0': 'permissive: argparse, a port of Python’s',
  'CC0-1.0': 'public domain: data',
  'CC-BY-4.0': 'attribution: the data of caniuse-lite, used to build',
  Unlicense: 'public domain',
  Zlib: 'permissive',
  'MPL-2.0': 'copyleft by file: the files stay as published',
  'LGPL-3.0-or-later': 'copyleft by library: libvips, linked dynamically by sharp and replaceable',
}

/** Packages whose licence isn't written as SPDX says, by name, with what it is. */
export const UNUSUAL_LICENCES: Readonly<Record<string, { written: string | undefined; is: string }>> = {
  geist: { written: 'SIL OPEN FONT LICENSE', is: 'OFL-1.1: a font, which may be bundled and served' },
  memorystream: { written: undefined, is: 'MIT, in the older field “licenses”' },
}
