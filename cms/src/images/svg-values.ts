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
  for (const [, name = ''] of rest.matchAll(/([\w-]*)\s*\(/g)) {
    if (name !== '' && !STYLE_FUNCTIONS.has(name.toLowerCase())) return false
  }
  return true
}

/** True for an allowed `href`: an id in the same drawing or, for an image, embedded image data. */
export function isSafeReference(value: string, element: string): boolean {
  if (/^#[^\s<>"'\\]*$/.test(value)) return true
  return (element === 'image' || element === 'feImage') && PICTURE.test(value)
}

/** A style sheet, or the declarations of one element, without everything unsafe; empty when it cannot be parsed. */
export function cleanStyle(text: string): string {
  try {
    const root = postcss.parse(text)
    root.walkComments((comment) => {
      comment.remove()
    })
    root.walkAtRules((rule) => {
      if (!AT_RULES.includes(rule.name.toLowerCase()) || !isSafeValue(rule.params)) rule.remove()
    })
    root.walkRules((rule) => {
      if (/[\\<@]/.test(rule.selector)) rule.remove()
    })
    root.walkDecls((declaration) => {
      if (!isSafeDeclaration(declaration)) declaration.remove()
    })
    const cleaned = root.toString()
    return /[<\\]|\/\*/.test(cleaned) ? '' : cleaned
  } catch {
    return ''
  }
}

function isSafeDeclaration({ prop, value }: postcss.Declaration): boolean {
  return /^-{0,2}[a-z][a-z0-9-]*$/i.test(prop) && !/behavior|binding/i.test(prop) && isSafeValue(value)
}
