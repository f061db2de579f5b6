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
export const STYLE_FUNCTIONS = words(`
  blur brightness calc circle clamp color color-mix contrast cubic-bezier drop-shadow ellipse grayscale hsl hsla
  hue-rotate hwb inset invert lab lch linear matrix matrix3d max min oklab oklch opacity perspective polygon rgb rgba
  rotate rotate3d rotatex rotatey rotatez saturate scale scale3d scalex scaley scalez sepia skew skewx skewy steps
  translate translate3d translatex translatey translatez var
`)
