import ts from 'typescript'

const OUTSIDE_LATIN_1 = /[^\0-\xff]/g
const OUTSIDE_IN_A_ROW = /[^\0-\xff]+/g

/**
 * Gives JavaScript with escapes for the characters that Latin-1 lacks. A template that a function gets as it is written
 * stays as it is: its escapes would be another text. Comments lose such characters.
 */
export function escapeCode(code: string): string {
  const places = [...code.matchAll(OUTSIDE_IN_A_ROW)]
  if (places.length === 0) return code
  const source = ts.createSourceFile('code.js', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS)
  const pieces: string[] = []
  let end = 0
  for (const { 0: text, index } of places) {
    pieces.push(code.slice(end, index), escaped(text, index, tokenAt(source, index), code))
    end = index + text.length
  }
  return pieces.join('') + code.slice(end)
}

/** The smallest part of the code that a place is in. */
function tokenAt(source: ts.SourceFile, place: number): ts.Node {
  const innermost = (node: ts.Node): ts.Node =>
    ts.forEachChild(node, (child) => (child.pos <= place && place < child.end ? innermost(child) : undefined)) ?? node
  return innermost(source)
}

function escaped(text: string, place: number, token: ts.Node, code: string): string {
  if (place < token.getStart() || !isText(token)) return text.replace(OUTSIDE_LATIN_1, blank)
  if (ts.isIdentifier(token) || ts.isPrivateIdentifier(token))
    return Array.from(text, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`).join('')
  if (isAsWritten(token)) return text
  // A backslash before it begins the escape: alone it says nothing there.
  const isBegun = backslashesBefore(code, place) % 2 === 1
  const all = text.replace(OUTSIDE_LATIN_1, escapeOf)
  if (!isBegun) return all
  return LINE_ENDS.test(text[0]!) ? `\n${text.slice(1).replace(OUTSIDE_LATIN_1, escapeOf)}` : all.slice(1)
}

const isText = (token: ts.Node): boolean =>
  ts.isStringLiteral(token) ||
  ts.isRegularExpressionLiteral(token) ||
  ts.isTemplateLiteralToken(token) ||
  ts.isIdentifier(token) ||
  ts.isPrivateIdentifier(token)

/** Of a template before which a function stands. */
function isAsWritten(token: ts.Node): boolean {
  const { parent } = token
  const template = ts.isTemplateSpan(parent) ? parent.parent : ts.isTemplateExpression(parent) ? parent : token
  return ts.isTemplateLiteralToken(token) && ts.isTaggedTemplateExpression(template.parent)
}

const escapeOf = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** After a backslash they continue a text in the next line, and elsewhere they end a comment. */
const LINE_ENDS = /[\u2028\u2029]/
const blank = (unit: string): string => (LINE_ENDS.test(unit) ? '\n' : ' ')

function backslashesBefore(code: string, place: number): number {
  let count = 0
  while (code[place - 1 - count] === '\\') count++
  return count
}
