/** Pixels per CSS unit. */
const UNITS: { readonly [unit: string]: number } = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
  em: 16,
  rem: 16,
  ex: 8,
}
/** Characters of an attribute that gives dimensions; longer ones are ignored. */
const MAX_LENGTH = 200
const DEFAULT_SIZE = { width: 300, height: 150 }

/** The dimensions a browser gives an SVG of these attributes by default: whole pixels, at least 1. */
export function readSvgSize(attributes: ReadonlyMap<string, string>): { width: number; height: number } {
  const box = readViewBox(attributes.get('viewBox'))
  const width = readLength(attributes.get('width'))
  const height = readLength(attributes.get('height'))
  if (width !== null && height !== null) return rounded(width, height)
  if (box === null) return rounded(width ?? DEFAULT_SIZE.width, height ?? DEFAULT_SIZE.height)
  if (width !== null) return rounded(width, (width * box.height) / box.width)
  if (height !== null) return rounded((height * box.width) / box.height, height)
  return rounded(box.width, box.height)
}

function readLength(text: string | undefined): number | null {
  if (text === undefined || text.length > MAX_LENGTH) return null
  const [, digits, unit = ''] = /^\+?((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? []
  const scale = UNITS[unit.toLowerCase()]
  const length = Number(digits) * (scale ?? Number.NaN)
  return Number.isFinite(length) && length > 0 ? length : null
}

function readViewBox(text: string | undefined): { width: number; height: number } | null {
  if (text === undefined || text.length > MAX_LENGTH) return null
  const [, , width = 0, height = 0] = text
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  return width > 0 && height > 0 && Number.isFinite(width) && Number.isFinite(height) ? { width, height } : null
}

function rounded(width: number, height: number): { width: number; height: number } {
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) }
}
