import postcss from 'postcss'
import { STYLE_FUNCTIONS } from './svg-names.ts'

const OWN_REFERENCE = /url\(\s*(["']?)#[^"'()\\\s<>]*\1\s*\)/gi
const PICTURE = /^data:image\/(?:png|jpeg|jpg|gif|webp);base64,[A-Za-z0-9+/=\s]*$/
const AT_RULES: readonly string[] = ['media', 'supports', 'keyframes', '-webkit-keyframes']

/** True for a value that loads and runs nothing: it uses drawing functions and `url(#id)` only. */
export function isSafeValue(value: string): boolean {
  const rest = value.replace(OWN_REFERENCE, ' ')
  if (/[\\<]|\/\*|:\/\/|@/.test(rest) || /(?:javascript|vbscript|data|file):/i.test(rest.replace(/[\s\p{C}]/gu, '')))
    return false
  return rest.split('(').slice(0, -1).every(endsInSafeFunction)
}

/** True when the name before a parenthesis is that of a drawing function, or there is none. Reads that name only. */
function endsInSafeFunction(text: string): boolean {
  const trimmed = text.trimEnd()
  let start = trimmed.length
  while (start > 0 && /[\w-]/.test(trimmed.charAt(start - 1))) start -= 1
  const name = trimmed.slice(start).toLowerCase()
  return name === '' || STYLE_FUNCTIONS.has(name)
}

/** True for an allowed `href`: an id in the same drawing or, for an image, embedded image data. */
export function isSafeReference(value: string, element: string): boolean {
  if (/^#[^\s<>"'\\]*$/.test(value)) return true
  return (element === 'image' || element === 'feImage') && PICTURE.test(value)
}

/** How deep parentheses may be nested: the parser looks for the end of each one again. */
const MAX_PARENTHESES = 32

/** A style sheet, or the declarations of one element, without everything unsafe; empty when it cannot be parsed. */
export function cleanStyle(text: string): string {
  if (hasDeepParentheses(text)) return ''
  try {
    const root = postcss.parse(text)
    removeUnsafe(root)
    const cleaned = root.toString()
    return /[<\\]|\/\*/.test(cleaned) ? '' : cleaned
  } catch {
    return ''
  }
}

/** Removes nodes by one filter for each container: removing them one by one takes quadratic time. */
function removeUnsafe(container: postcss.Container): void {
  if (container.nodes === undefined) return
  container.nodes = container.nodes.filter(isSafeNode)
  for (const node of container.nodes) if (node.type === 'atrule' || node.type === 'rule') removeUnsafe(node)
}

function isSafeNode(node: postcss.ChildNode): boolean {
  if (node.type === 'rule') return !/[\\<@]/.test(node.selector)
  if (node.type === 'atrule') return AT_RULES.includes(node.name.toLowerCase()) && isSafeValue(node.params)
  return node.type === 'decl' && isSafeDeclaration(node)
}

function isSafeDeclaration({ prop, value }: postcss.Declaration): boolean {
  return /^-{0,2}[a-z][a-z0-9-]*$/i.test(prop) && !/behavior|binding/i.test(prop) && isSafeValue(value)
}

function hasDeepParentheses(text: string): boolean {
  let depth = 0
  for (const [character] of text.matchAll(/[()]/g)) {
    depth = character === '(' ? depth + 1 : Math.max(0, depth - 1)
    if (depth > MAX_PARENTHESES) return true
  }
  return false
}
