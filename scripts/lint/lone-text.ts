import type { Rule } from 'eslint'
import ts from 'typescript'

type Parent = ts.JsxElement | ts.JsxFragment
/** A child in JSX: a text, an element or an expression. */
type Child = ts.JsxText | ts.JsxElement | ts.JsxSelfClosingElement | ts.JsxFragment | ts.Expression
type Fault = { node: ts.Node; message: string }

const TEXT = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike
const NOTHING = ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.BooleanLike
const ANYTHING = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter

const FAULTS = {
  beside: 'Text that may change is the only child of its element: wrap it.',
  conditional: 'Text beside what comes and goes is the only child of its element: wrap it.',
  fragment: 'Text is in an element of its own, not in a fragment.',
  array: 'Each text of an array is in an element of its own.',
  rich: '<Sentence> goes around t.rich(…), and gives each of its texts an element.',
  component: 'A component returns elements, no bare text.',
}

/**
 * Browsers that translate a page put elements of theirs in the place of its text nodes. React then can't remove such a
 * text or insert before it, and what it changes isn't seen, unless the text is an element's only child: there React
 * sets the content of the element. Sentences that don't change, with marks in them, are free.
 */
export const loneText: Rule.RuleModule = {
  meta: { type: 'problem', schema: [] },
  create: ({ sourceCode, report }) => ({
    Program() {
      const { program, esTreeNodeToTSNodeMap } = sourceCode.parserServices as {
        program: ts.Program
        esTreeNodeToTSNodeMap: { get(node: unknown): ts.SourceFile }
      }
      for (const { node, message } of loneTextFaults(program, esTreeNodeToTSNodeMap.get(sourceCode.ast)))
        report({
          loc: { start: sourceCode.getLocFromIndex(node.getStart()), end: sourceCode.getLocFromIndex(node.end) },
          message: `${message} Browsers that translate replace text nodes.`,
        })
    },
  }),
}

export function loneTextFaults(program: ts.Program, file: ts.SourceFile): Fault[] {
  const checker = program.getTypeChecker()
  const faults: Fault[] = []
  const fault = (node: ts.Node, kind: keyof typeof FAULTS) => faults.push({ node, message: FAULTS[kind] })

  const partsOf = (type: ts.Type): ts.Type[] => (type.isUnion() ? type.types.flatMap(partsOf) : [type])
  const has = (type: ts.Type, flags: ts.TypeFlags) => partsOf(type).some((part) => (part.flags & flags) !== 0)
  // React makes nothing of an empty text.
  const isText = (type: ts.Type, flags: ts.TypeFlags) =>
    partsOf(type).some((part) => (part.flags & flags) !== 0 && !(part.isStringLiteral() && part.value === ''))
  const holdsTexts = (type: ts.Type): boolean =>
    partsOf(type).some(
      (part) =>
        (checker.isArrayType(part) || checker.isTupleType(part)) &&
        checker.getTypeArguments(part as ts.TypeReference).some((of) => isText(of, TEXT | ANYTHING) || holdsTexts(of)),
    )

  /** The type that a component of ours returns; null for elements of HTML and of packages. */
  function returnedBy({ tagName }: ts.JsxOpeningLikeElement): ts.Type | null {
    if (ts.isIdentifier(tagName) && /^[a-z]/.test(tagName.text)) return null
    const signature = checker.getTypeAtLocation(tagName).getCallSignatures().at(0)
    // A component that is made by a function of a package has a signature of the package.
    const from = signature?.declaration?.getSourceFile().fileName
    return signature && from && !from.includes('/node_modules/') ? signature.getReturnType() : null
  }
  /** The types that an expression may put into the page. */
  function shownBy(node: ts.Expression): ts.Type[] {
    if (ts.isParenthesizedExpression(node)) return shownBy(node.expression)
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
      return shownBy(node.right)
    if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(shownBy)
    return [checker.getTypeAtLocation(node)]
  }
  function comesAndGoes(child: Child): boolean {
    if (isFixedText(child)) return false
    const opening = openingOf(child)
    const returned = opening && returnedBy(opening)
    if (opening) return returned !== null && has(returned, NOTHING | ANYTHING)
    // A variable or prop that is always an element is taken for a fixed one.
    return !ts.isIdentifier(child) || has(checker.getTypeAtLocation(child), NOTHING | ANYTHING | TEXT)
  }

  function checkChildren(parent: Parent): void {
    const children = childrenOf(parent)
    const isAlone = children.length === 1
    const changes = !isAlone && children.some(comesAndGoes)
    for (const child of children) {
      if (isFixedText(child)) {
        if (ts.isJsxFragment(parent)) fault(child, 'fragment')
        else if (changes) fault(child, 'conditional')
      } else if (!openingOf(child) && !ts.isJsxFragment(child)) {
        const shown = shownBy(child)
        if (shown.some(holdsTexts)) fault(child, 'array')
        else if (!shown.some((type) => isText(type, TEXT | ANYTHING))) continue
        else if (ts.isJsxFragment(parent)) fault(child, 'fragment')
        else if (!isAlone) fault(child, 'beside')
      }
    }
  }

  function visit(node: ts.Node): void {
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) checkChildren(node)
    if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) {
      const returned = returnedBy(node)
      if (returned && isText(returned, TEXT)) fault(node, 'component')
    }
    if (isRich(node) && !isInSentence(node)) fault(node, 'rich')
    ts.forEachChild(node, visit)
  }
  visit(file)
  return faults
}

/** The children without comments, and without line breaks and the blanks around them. */
const childrenOf = ({ children }: Parent): Child[] =>
  children.flatMap((child): Child[] => {
    if (ts.isJsxExpression(child)) return child.expression ? [child.expression] : []
    return ts.isJsxText(child) && child.containsOnlyTriviaWhiteSpaces ? [] : [child]
  })

const isFixedText = (child: Child) => ts.isJsxText(child) || ts.isStringLiteralLike(child)

function openingOf(child: Child): ts.JsxOpeningLikeElement | null {
  if (ts.isJsxElement(child)) return child.openingElement
  return ts.isJsxSelfClosingElement(child) ? child : null
}

const isRich = (node: ts.Node) =>
  ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'rich'

const isInSentence = ({ parent: { parent } }: ts.Node) =>
  ts.isJsxElement(parent) && parent.openingElement.tagName.getText() === 'Sentence'
