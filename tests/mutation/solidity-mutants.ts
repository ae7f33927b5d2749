import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { root } from './areas.ts'
import type { Change, Mutant } from './mutants.ts'

type Node = { nodeType: string; src: string } & Record<string, unknown>
type Placed = Change & { place: string }

const FOLDER = 'contracts/src'
/** The contracts that are deployed, and what they inherit. */
const CONTRACTS = ['Vitrine721', 'Vitrine1155', 'VitrineToken', 'VitrineFactory', 'OwnerBlobs']

const OPERATORS: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '==': '!=',
  '!=': '==',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
}
const OPERATORS_OF_ASSEMBLY: Record<string, string> = {
  lt: 'gt',
  gt: 'lt',
  add: 'sub',
  sub: 'add',
  and: 'or',
  or: 'and',
  shl: 'shr',
  shr: 'shl',
}

/** A statement that does nothing: Solidity has no empty one. */
const NOTHING = '0'

/** All mutants of the contracts, from the compiler's own syntax tree. */
export function solidityMutants(): Mutant[] {
  const files = CONTRACTS.map((name) => `${FOLDER}/${name}.sol`)
  const trees = treesOf(files)
  return files.flatMap((file) => {
    const source = fs.readFileSync(path.join(root, file), 'utf8')
    const times = new Map<string, number>()
    return changesIn(trees[file]!, source).map((change): Mutant => {
      const before = short(source.slice(change.from, change.to))
      const words = change.kind.endsWith('removed:') ? before : `${before} → ${short(change.text)}`
      const what = `${file} ${change.place}: ${change.kind} ${words}`
      const time = (times.get(what) ?? 0) + 1
      times.set(what, time)
      const line = source.slice(0, change.from).split('\n').length
      return { ...change, id: time > 1 ? `${what} (${time})` : what, file, line }
    })
  })
}

const short = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 90)

function treesOf(files: readonly string[]): Record<string, Node> {
  const sources: Record<string, { content: string }> = {}
  const add = (name: string, file: string): void => {
    if (sources[name]) return
    const content = fs.readFileSync(file, 'utf8')
    sources[name] = { content }
    for (const [, imported] of content.matchAll(/^\s*import\s+(?:[^'";]*?\sfrom\s+)?["']([^"']+)["']/gm))
      if (imported!.startsWith('.'))
        add(path.posix.join(path.posix.dirname(name), imported!), path.join(path.dirname(file), imported!))
      else add(imported!, path.join(root, 'node_modules', imported!.replace(/^solady\//, 'solady/src/')))
  }
  for (const file of files) add(file, path.join(root, file))
  const input = { language: 'Solidity', sources, settings: { outputSelection: { '*': { '': ['ast'] } } } }
  const output = execFileSync(process.execPath, [path.join(root, 'scripts/solc.mjs')], {
    input: JSON.stringify(input),
    maxBuffer: 2 ** 28,
    encoding: 'utf8',
  })
  const compiled = (JSON.parse(output) as { sources: Record<string, { ast: Node }> }).sources
  return Object.fromEntries(files.map((file) => [file, compiled[file]!.ast]))
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'nodeType' in value

function changesIn(tree: Node, source: string): Placed[] {
  const bytes = Buffer.from(source)
  const offsetOf = (byte: number) => bytes.subarray(0, byte).toString().length
  const rangeOf = ({ src }: Node): [number, number] => {
    const [from, length] = src.split(':').map(Number)
    return [offsetOf(from!), offsetOf(from! + length!)]
  }
  const found: Placed[] = []
  const visit = (node: Node, place: string): void => {
    const own = node.nodeType === 'FunctionDefinition' ? (node.name as string) || (node.kind as string) : place
    for (const [at, kind, text] of changesOf(node, (of) => source.slice(...rangeOf(of)))) {
      const [from, to] = rangeOf(at)
      found.push({ kind, from, to, text, place: own })
    }
    for (const value of Object.values(node)) for (const child of [value].flat()) if (isNode(child)) visit(child, own)
  }
  visit(tree, 'file')
  return found
}

function changesOf(node: Node, textOf: (node: Node) => string): [at: Node, kind: string, text: string][] {
  switch (node.nodeType) {
    case 'BinaryOperation': {
      const other = OPERATORS[node.operator as string]
      const [left, right] = [textOf(node.leftExpression as Node), textOf(node.rightExpression as Node)]
      return other ? [[node, 'operator changed:', `(${left}) ${other} (${right})`]] : []
    }
    case 'IfStatement': {
      const condition = node.condition as Node
      const isGuard = ['RevertStatement', 'Return'].includes((node.trueBody as Node).nodeType) && !node.falseBody
      return [
        [condition, 'condition negated:', `!(${textOf(condition)})`],
        ...(isGuard ? [[node, 'guard removed:', NOTHING] as [Node, string, string]] : []),
      ]
    }
    case 'ExpressionStatement':
    case 'EmitStatement':
      return [[node, 'statement removed:', NOTHING]]
    case 'ModifierInvocation':
      return node.kind === 'modifierInvocation' ? [[node, 'modifier removed:', '']] : []
    case 'Literal':
      return literalChanges(node, textOf(node))
    case 'YulFunctionCall': {
      const name = node.functionName as Node
      const other = OPERATORS_OF_ASSEMBLY[name.name as string]
      return other ? [[name, `operator changed in ${short(textOf(node)).slice(0, 60)}:`, other]] : []
    }
    case 'YulIf':
      return [[node.condition as Node, 'condition negated:', `iszero(${textOf(node.condition as Node)})`]]
    case 'YulExpressionStatement':
      return [[node, 'statement removed:', '']]
    default:
      return []
  }
}

function literalChanges(node: Node, text: string): [at: Node, kind: string, text: string][] {
  const kind = 'constant changed:'
  if (node.kind === 'bool') return [[node, kind, text === 'true' ? 'false' : 'true']]
  if (node.kind !== 'number' || !/^\d+$/.test(text)) return []
  return [1n, -1n]
    .map((by) => BigInt(text) + by)
    .filter((value) => value >= 0n)
    .map((value) => [node, kind, String(value)])
}
