// The words that style values and queries may use, lists of what is known to be harmless, and those of our own.

/** The property that the preset `background` names: it stands for the declarations of the chosen kind of background. */
export const PRESET_BACKGROUND = '--preset-bg'

/** The property of the gap between the columns of all layout widgets. */
export const LAYOUT_GAP = '--apos-layout-gap'

/** Functions that a value may call: none of them loads anything. */
export const VALUE_FUNCTIONS = words(
  'var env calc min max clamp round mod rem abs sign sin cos tan asin acos atan atan2 pow sqrt hypot log exp',
  'rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark contrast-color',
  'linear-gradient radial-gradient conic-gradient',
  'repeating-linear-gradient repeating-radial-gradient repeating-conic-gradient',
  'cubic-bezier steps linear translate translatex translatey translatez translate3d',
  'rotate rotatex rotatey rotatez rotate3d scale scalex scaley scalez scale3d skew skewx skewy',
  'matrix matrix3d perspective blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia',
  'minmax repeat fit-content inset circle ellipse polygon counter counters anchor anchor-size',
)

/** Functions that a media query may call. */
export const MEDIA_FUNCTIONS = words('not calc min max clamp')

/** Units of numbers. */
export const UNITS = words(
  '% px em rem ex rex ch rch cap rcap ic ric lh rlh cm mm q in pt pc deg grad rad turn s ms hz khz dpi dpcm dppx x fr',
  'vw vh vi vb vmin vmax svw svh svi svb svmin svmax lvw lvh lvi lvb lvmin lvmax dvw dvh dvi dvb dvmin dvmax',
  'cqw cqh cqi cqb cqmin cqmax',
)

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}
