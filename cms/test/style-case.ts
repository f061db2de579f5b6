import type { JsonObject } from '../src/base/json.ts'

// What editors save, and what a browser is to compute from it. The same fields are tried as styles of the site, for the
// elements of a class of the case's name, and as those of a widget type of that name.

/** The widths of screens that pages are looked at with. */
export const WIDTHS = [500, 800, 1200] as const

/** Computed properties by selector below the styled element; '' is the element itself. */
interface Expected {
  readonly [selector: string]: { readonly [property: string]: string }
}

/** Some style fields, their values, and what becomes of them. */
export interface StyleCase {
  readonly name: string
  /** Without the selector of the styled element; with one for elements inside of it. Names differ between cases. */
  readonly add: { readonly [name: string]: JsonObject }
  readonly values: JsonObject
  readonly expected: Expected | ((width: number) => Expected)
}

/** The four sides of a box. */
export const sides = (
  top: number | null,
  right: number | null,
  bottom: number | null,
  left: number | null,
): JsonObject => ({
  top,
  right,
  bottom,
  left,
})

/** Fields to which cases add options. */
export const range = { type: 'range', min: -500, max: 500 }
export const box = { type: 'box' }
export const color = { type: 'color' }
