import ts from 'typescript'
import { sqlChanges } from './sql-changes.ts'

/** The text between two offsets of a file is replaced. */
export type Change = { from: number; to: number; text: string; kind: string }

/**
 * One small change of a source file. `place`: the declaration at the top of the file that it is in. `id` stays the same
 * while lines move.
 */
export type Mutant = Change & { id: string; file: string; place: string; line: number }

/** All mutants of a source file. Not all of them compile. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const mutants: Mutant[] = []
  const times = new Map<string, number>()
  for (const statement of tree.statements) {
    const place = nameOf(statement)
    for (const change of changesIn(statement, source)) {
      const what = `${file} ${place}: ${wordsOf(change, source)}`
      const time = (times.get(what) ?? 0) + 1
      times.set(what, time)
      const line = tree.getLineAndCharacterOfPosition(change.from).line + 1
      mutants.push({ ...change, id: time > 1 ? `${what} (${time})` : what, file, place, line })
    }
  }
  return mutants
}

/** The source with a change made. */
export const changed = (source: string, { from, to, text }: Pick<Change, 'from' | 'to' | 'text'>): string =>
  source.slice(0, from) + text + source.slice(to)

/** The name of what a statement at the top of a file declares. */
export function nameOf(statement: ts.Statement): string {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations[0]!.name.getText()
  const { name } = statement as { name?: ts.Node }
  return name?.getText() ?? 'file'
}

const MOST_SHOWN = 90
const short = (text: string) => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line
}
const wordsOf = ({ from, to, text, kind }: Change, source: string) => {
  const [before, after] = [short(source.slice(from, to)), short(text)]
  return after === '' || after === ';' ? `${kind} ${before}` : `${kind} ${before} → ${after}`
}

function changesIn(root: ts.Node, source: string): Change[] {
  const found: Change[] = []
  const visit = (node: ts.Node): void => {
    if (isLeftOut(node)) return
    found.push(...changesOf(node, source))
    ts.forEachChild(node, visit)
  }
  visit(root)
  return found
}

/** Types, imports, and what only says something: logs, descriptions, the places where tests stop a process. */
function isLeftOut(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true
  return ts.isCallExpression(node) && /^(log\.\w+|crashPoint)$|\.describe$/.test(node.expression.getText())
}

const OPERATORS: Partial<Record<ts.SyntaxKind, [kind: string, other: string]>> = {
  [ts.SyntaxKind.LessThanToken]: ['boundary moved:', '<='],
  [ts.SyntaxKind.LessThanEqualsToken]: ['boundary moved:', '<'],
  [ts.SyntaxKind.GreaterThanToken]: ['boundary moved:', '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken]: ['boundary moved:', '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: ['comparison reversed:', '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: ['comparison reversed:', '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken]: ['and/or exchanged:', '||'],
  [ts.SyntaxKind.BarBarToken]: ['and/or exchanged:', '&&'],
}

function changesOf(node: ts.Node, source: string): Change[] {
  const [from, to] = [node.getStart(), node.getEnd()]
  const replacing = (kind: string, part: ts.Node, text: string): Change => ({
    kind,
    from: part.getStart(),
    to: part.getEnd(),
    text,
  })
  const negated = (condition: ts.Expression) => replacing('condition negated:', condition, `!(${condition.getText()})`)

  if (ts.isIfStatement(node))
    return [negated(node.expression), ...(isGuard(node) ? [{ kind: 'guard removed:', from, to, text: ';' }] : [])]
  if (ts.isConditionalExpression(node)) return [negated(node.condition)]
  if (ts.isBinaryExpression(node)) {
    const [kind, other] = OPERATORS[node.operatorToken.kind] ?? []
    if (!kind || !other) return []
    return [{ kind, from, to, text: `${node.left.getText()} ${other} ${node.right.getText()}` }]
  }
  if (ts.isExpressionStatement(node)) return statementChanges(node, from, to)
  if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) return constantChanges(node)
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [replacing('constant changed:', node, 'false')]
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [replacing('constant changed:', node, 'true')]
  if (ts.isReturnStatement(node) && node.expression && !isNothing(node.expression))
    return [replacing('result dropped:', node.expression, 'undefined')]
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body) && isDeclaration(node))
    return [replacing('result dropped:', node.body, 'undefined')]
  if (
    ts.isPropertyAssignment(node) &&
    node.name.getText() === 'where' &&
    ts.isObjectLiteralExpression(node.initializer)
  )
    return conditionsOf(node.initializer)
  if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isStringLiteral(node))
    return sqlChanges(source, node)
  return []
}

/** `if (…) throw …`, `return` or `continue`, without an else. */
function isGuard({ thenStatement, elseStatement }: ts.IfStatement): boolean {
  const body = ts.isBlock(thenStatement) ? thenStatement.statements : [thenStatement]
  const [only] = body
  return (
    !elseStatement &&
    body.length === 1 &&
    (ts.isThrowStatement(only!) || ts.isReturnStatement(only!) || ts.isContinueStatement(only!))
  )
}

const isNothing = (node: ts.Expression) =>
  ['undefined', 'null', 'true', 'false'].includes(node.getText()) || ts.isNumericLiteral(node)

/** A function that has a name of its own, not one that is passed on. */
const isDeclaration = ({ parent }: ts.ArrowFunction) => ts.isVariableDeclaration(parent)

/** A missing `await` is none of them: the linter, which is part of `npm test`, finds it. */
function statementChanges({ expression }: ts.ExpressionStatement, from: number, to: number): Change[] {
  const call = ts.isAwaitExpression(expression) ? expression.expression : expression
  if (!ts.isCallExpression(call) || isLeftOut(call) || call.expression.kind === ts.SyntaxKind.SuperKeyword) return []
  return [{ kind: 'statement removed:', from, to, text: ';' }]
}

/** A position in a list is no constant of a rule. */
function constantChanges(node: ts.NumericLiteral | ts.BigIntLiteral): Change[] {
  if (ts.isElementAccessExpression(node.parent) || (ts.isPropertyAssignment(node.parent) && node.parent.name === node))
    return []
  const text = node.getText().replaceAll('_', '')
  const isBig = ts.isBigIntLiteral(node)
  const value = isBig ? BigInt(text.slice(0, -1)) : Number(text)
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return []
  const [from, to] = [node.getStart(), node.getEnd()]
  return [1, -1].map((by) => {
    const moved = typeof value === 'bigint' ? `${value + BigInt(by)}n` : String(value + by)
    return { kind: 'constant changed:', from, to, text: moved.startsWith('-') ? `(${moved})` : moved }
  })
}

/** Each condition of a `where` dropped, those within `not`, `AND` and `OR` too. */
function conditionsOf(where: ts.ObjectLiteralExpression): Change[] {
  const found: Change[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return
    if (ts.isObjectLiteralExpression(node))
      node.properties.forEach((property, at) => {
        const next = node.properties[at + 1]
        const to = next ? next.getStart() : node.properties.hasTrailingComma ? node.properties.end : property.getEnd()
        found.push({ kind: 'where condition dropped:', from: property.getStart(), to, text: '' })
      })
    ts.forEachChild(node, visit)
  }
  visit(where)
  return found
}
