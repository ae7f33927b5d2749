import { Children, cloneElement, isValidElement } from 'react'
import type { ReactElement, ReactNode } from 'react'

/**
 * The text with elements in it that `t.rich` gives. Each of its texts gets an element of its own, so that React can
 * change it after a browser has translated the page.
 */
export const Sentence = ({ children }: { children: ReactNode }) => <>{wrapped(children)}</>

const wrapped = (node: ReactNode): ReactElement[] | null | undefined =>
  Children.map(node, (part) => {
    if (!isValidElement<{ children?: ReactNode }>(part)) return <span>{part}</span>
    return Array.isArray(part.props.children) ? cloneElement(part, undefined, wrapped(part.props.children)) : part
  })
