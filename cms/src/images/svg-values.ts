import postcss from 'postcss'

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

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Elements that draw, and nothing that runs, loads or embeds. */
export const SVG_ELEMENTS = words(`
  a animate animateMotion animateTransform circle clipPath defs desc ellipse feBlend feColorMatrix feComponentTransfer
  feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB
  feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting
  feSpotLight feTile feTurbulence filter g image line linearGradient marker mask metadata mpath path pattern polygon
  polyline radialGradient rect set stop style svg switch symbol text textPath title tspan use view
`)

/** Attributes of these elements; `href`, `style` and what animations change are looked at on their own. */
export const SVG_ATTRIBUTES = words(`
  accumulate additive alignment-baseline amplitude attributeName attributeType azimuth baseFrequency baseline-shift
  begin bias by calcMode class clip clip-path clip-rule clipPathUnits color color-interpolation
  color-interpolation-filters color-rendering cursor cx cy d diffuseConstant direction display divisor
  dominant-baseline dur dx dy edgeMode elevation end enable-background exponent fill fill-opacity fill-rule filter
  filterRes filterUnits flood-color flood-opacity font-family font-feature-settings font-kerning font-size
  font-size-adjust font-stretch font-style font-variant font-weight fr from fx fy glyph-orientation-horizontal
  glyph-orientation-vertical gradientTransform gradientUnits height id image-rendering in in2 intercept
  isolation k1 k2 k3 k4 kernelMatrix kernelUnitLength keyPoints keySplines keyTimes kerning lang lengthAdjust
  letter-spacing lighting-color limitingConeAngle marker marker-end marker-mid marker-start markerHeight markerUnits
  markerWidth mask mask-type maskContentUnits maskUnits max method min mix-blend-mode mode numOctaves offset opacity
  operator order orient origin overflow overline-position overline-thickness paint-order path pathLength
  patternContentUnits patternTransform patternUnits pointer-events points pointsAtX pointsAtY pointsAtZ
  preserveAlpha preserveAspectRatio primitiveUnits r radius refX refY repeatCount repeatDur requiredExtensions
  requiredFeatures restart result role rotate rx ry scale seed shape-rendering side slope spacing specularConstant
  specularExponent spreadMethod startOffset stdDeviation stitchTiles stop-color stop-opacity stroke stroke-dasharray
  stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width style surfaceScale
  systemLanguage tableValues targetX targetY text-anchor text-decoration text-overflow text-rendering textLength to
  transform transform-box transform-origin type unicode-bidi values vector-effect version viewBox visibility
  white-space width word-spacing writing-mode x x1 x2 xChannelSelector y y1 y2 yChannelSelector z zoomAndPan
`)

/** Functions that values and style sheets may call: none of them loads anything. */
const STYLE_FUNCTIONS = words(`
  blur brightness calc circle clamp color color-mix contrast cubic-bezier drop-shadow ellipse grayscale hsl hsla
  hue-rotate hwb inset invert lab lch linear matrix matrix3d max min oklab oklch opacity perspective polygon rgb rgba
  rotate rotate3d rotatex rotatey rotatez saturate scale scale3d scalex scaley scalez sepia skew skewx skewy steps
  translate translate3d translatex translatey translatez var
`)
