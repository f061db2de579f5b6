import { z } from 'zod'

const alignment = z.enum(['start', 'center', 'end', 'stretch'])

/** What an area may say of its layout widgets (§2.18). */
export const LAYOUT_OPTIONS = z.strictObject({
  /** Columns of the grid. */
  columns: z.int().min(1).max(24).default(12),
  /** The fewest columns that one column of the layout takes, and how many it takes at first. */
  minSpan: z.int().min(1).max(24).default(2),
  defaultSpan: z.int().min(1).max(24).default(6),
  gap: z
    .string()
    .regex(/^\d+(?:\.\d+)?(?:px|rem|em|%|vw)?$/, 'must be a length: "1.5rem"')
    .default('1.5rem'),
  defaultCellHorizontalAlignment: alignment.default('stretch'),
  defaultCellVerticalAlignment: alignment.default('stretch'),
})

/** What front ends read beside these options: no gap comes from styles. */
export const NO_STYLED_GAP = { _gap: null, _gapHasGlobal: false }

/** The widths in pixels up to which the layout for phones and for tablets holds. */
export const BREAKPOINTS = { mobile: { breakpoint: 600 }, tablet: { breakpoint: 1024 } }
