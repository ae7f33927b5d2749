import fs from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

/** The TypeScript files of folders, and files given by themselves. */
export const sourcesUnder = (root: string, places: readonly string[]): string[] =>
  places.flatMap((place) =>
    /\.tsx?$/.test(place)
      ? [path.join(root, place)]
      : fs.globSync(`${place}/**/*.{ts,tsx}`, { cwd: root }).map((file) => path.join(root, file)),
  )

const parsed = (file: string): ts.SourceFile =>
  ts.createSourceFile(file, fs.readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX)

/** The string literals of a file; a template with something inserted as the pattern of what it may become. */
export function literalsIn(file: string): (string | RegExp)[] {
  const found: (string | RegExp)[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text)
    else if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) found.push(node.name.text)
    if (ts.isTemplateExpression(node)) {
      const texts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
      // Without a text of its own it says nothing of keys.
      if (texts.some((text) => /[a-z]/i.test(text))) found.push(new RegExp(`^${texts.map(RegExp.escape).join('.+')}$`))
    }
    ts.forEachChild(node, visit)
  }
  visit(parsed(file))
  return found
}

/** What people read or hear of a component: text in its markup, and the properties that become such text. */
const SPOKEN =
  /^(alt|title|placeholder|aria-label|aria-description|label|hint|lead|description|action|confirm|name|copyLabel)$/
/** Words, and not a mark, a number or an address. */
const HAS_WORDS = /\p{L}{2}/u

/** The name of a field as it is written: "units", 'royalty_info.amount_bps:number', `email-${id}`. */
const FIELD_NAME = /^.(?:[a-z_]+|[A-Z_]+|\$\{[\w.]+\})(?:[-:.](?:[a-z_]+|\$\{[\w.]+\}))*.$/
const isFieldName = (written: string) => written.match(/["'`][^"'`]*["'`]/g)?.every((each) => FIELD_NAME.test(each))

/** An example of an address or a code: one word with a mark in it. */
const EXAMPLE = /^["'`](?:\$\{\w+\} )?\S*[-.@/]\S*["'`]$/
const isExample = (written: string) => EXAMPLE.test(written.replace(/^\{(.*)\}$/, '$1'))

/** The words that a component's file says itself, with their lines. */
export function wordsIn(file: string): string[] {
  const source = parsed(file)
  const found: string[] = []
  const add = (node: ts.Node, text: string) => {
    // Addresses of pages aren't read to anybody, and examples of addresses are the same in each language.
    if (text.startsWith('/') || !HAS_WORDS.test(text.replace(/&\w+;|0x\S*|https:\S*|\w+@example\.com/g, ''))) return
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    found.push(`${path.basename(file)}:${line + 1} ${text.trim()}`)
  }
  const addStrings = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) add(node, node.text)
    else if (ts.isTemplateExpression(node))
      add(node, [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(' '))
    else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(addStrings)
    else if (ts.isBinaryExpression(node) && ts.isStringLiteralLike(node.right)) add(node.right, node.right.text)
    else if (ts.isParenthesizedExpression(node)) addStrings(node.expression)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isJsxElement(node) && node.openingElement.tagName.getText(source) === 'style') return
    if (ts.isJsxText(node)) add(node, node.text)
    if (ts.isJsxExpression(node) && node.expression && !ts.isJsxAttribute(node.parent ?? node))
      addStrings(node.expression)
    if (ts.isJsxAttribute(node) && SPOKEN.test(node.name.getText(source)) && node.initializer) {
      const given = node.initializer
      // The name of a field of a form is for programs.
      if (node.name.getText(source) === 'name' && isFieldName(given.getText(source))) return
      if (node.name.getText(source) === 'placeholder' && isExample(given.getText(source))) return
      if (ts.isStringLiteral(given)) add(given, given.text)
      else if (ts.isJsxExpression(given) && given.expression) addStrings(given.expression)
      return
    }
    if (ts.isJsxAttribute(node))
      return void (node.initializer && ts.isJsxExpression(node.initializer) && ts.forEachChild(node.initializer, visit))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}
