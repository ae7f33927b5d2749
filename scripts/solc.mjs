#!/usr/bin/env node
// Behaves like a native solc binary, which forge would otherwise download, but runs the compiler that npm installed.
import { readFileSync } from 'node:fs'
import solc from 'solc'

if (process.argv.includes('--version')) {
  const version = solc.version().replace('.Emscripten.clang', '.Linux.g++')
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${version}`)
} else {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')))
}
