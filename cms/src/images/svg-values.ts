import postcss from 'postcss'
import { STYLE_FUNCTIONS } from './svg-names.ts'

const OWN_REFERENCE = /url\(\s*(["']?)#[^"'()\\\s<>]*\1\s*\)/gi
const PICTURE = /^data:image\/(?:png|jpeg|jpg|gif|webp);base64,[A-Za-z0-9+/=\s]*$/
const AT_RULES: readonly string[] = ['media', 'supports', 'keyframes', '-webkit-keyframes']

/** True for a value that loads nothing from elsewhere and runs nothing: functions that draw, and `url(#here)`. */
export function isHarmless(value: string): boolean {
  const rest = value.replace(OWN_REFERENCE, ' ')
  if (/[\\<]|\/\*|:\/\/|@/.test(rest) || /(?:javascript|vbscript|data|file):/i.test(rest.replace(/[\s\p{C}]/gu, '')))
    return false
  for (const [, name = ''] of rest.matchAll(/([\w-]*)\s*\(/g)) {
    if (name !== '' && !STYLE_FUNCTIONS.has(name.toLowerCase())) return false
  }
  return true
}

/** True for what an `href` may be: a place in the same drawing, or, for an image, a picture written out in it. */
export function isHarmlessReference(value: string, element: string): boolean {
  if (/^#[^\s<>"'\\]*$/.test(value)) return true
  return (element === 'image' || element === 'feImage') && PICTURE.test(value)
}

/** A style sheet, or the declarations of one element, without all that is not harmless; empty when it makes no sense. */
export function cleanStyle(text: string): string {
  try {
    const root = postcss.parse(text)
    root.walkComments((comment) => {
      comment.remove()
    })
    root.walkAtRules((rule) => {
      if (!AT_RULES.includes(rule.name.toLowerCase()) || !isHarmless(rule.params)) rule.remove()
    })
    root.walkRules((rule) => {
      if (/[\\<@]/.test(rule.selector)) rule.remove()
    })
    root.walkDecls((declaration) => {
      if (!isHarmlessDeclaration(declaration)) declaration.remove()
    })
    const cleaned = root.toString()
    return /[<\\]|\/\*/.test(cleaned) ? '' : cleaned
  } catch {
    return ''
  }
}

function isHarmlessDeclaration({ prop, value }: postcss.Declaration): boolean {
  return /^-{0,2}[a-z][a-z0-9-]*$/i.test(prop) && !/behavior|binding/i.test(prop) && isHarmless(value)
}
