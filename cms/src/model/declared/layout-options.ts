import { z } from 'zod'

const alignment = z.enum(['start', 'center', 'end', 'stretch'])

/** The options that an area has for its layout widgets (§2.18). */
export const LAYOUT_OPTIONS = z.strictObject({
  /** Columns of the grid. */
  columns: z.int().min(1).max(24).default(12),
  /** The fewest columns that one column of the layout takes, and how many it takes at first. */
  minSpan: z.int().min(1).max(24).default(2),
  defaultSpan: z.int().min(1).max(24).default(6),
  gap: z
    .string()
    .regex(/^\d+(?:\.\d+)?(?:px|rem|em|%|vw)?$/, 'must be a length, such as "1.5rem"')
    .optional(),
  defaultCellHorizontalAlignment: alignment.default('stretch'),
  defaultCellVerticalAlignment: alignment.default('stretch'),
})

/** The gap where neither the area nor the styles of the site set one. */
export const DEFAULT_GAP = '1.5rem'

/** The gap as front ends read it. */
export interface GapOptions {
  readonly gap: string
  /** The gap that the area sets. */
  readonly _gap: string | null
  /** True where the styles of the site set it for all areas that do not (§2.9 layoutGap). */
  readonly _gapHasGlobal: boolean
}

/** The gap of the layouts of one area. */
export function gapOptions(gap: string | undefined, isStyled: boolean): GapOptions {
  return { gap: gap ?? DEFAULT_GAP, _gap: gap ?? null, _gapHasGlobal: isStyled }
}

/** The widths in pixels up to which the layout for phones and for tablets holds. */
export const BREAKPOINTS = { mobile: { breakpoint: 600 }, tablet: { breakpoint: 1024 } }
