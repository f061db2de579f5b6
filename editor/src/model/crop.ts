import type { Json, JsonObject } from 'quire-client'
import { isObject } from './json.ts'

/** Width and height, in pixels of a picture as it is displayed. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** A part of a picture, in its pixels. */
export interface Crop extends Size {
  readonly left: number
  readonly top: number
}

/** A place in a picture, in its pixels. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** The view of a picture in one place: its part, and the point that stays in sight where that is cut further. */
export interface Look {
  readonly crop: Crop
  /** Null for the middle of the part. */
  readonly focus: Point | null
  /** Width by height that the part keeps; null for any. */
  readonly ratio: number | null
}

/** The sides of a part, and its corners. */
export type Edge = 'left' | 'top' | 'right' | 'bottom'

/** No part is narrower or lower, in pixels: a picture of this size has no parts. */
export const LEAST = 8

/** The whole picture. */
export function wholeOf({ width, height }: Size): Crop {
  return { left: 0, top: 0, width, height }
}

/** Whether a part is all of the picture. */
export function isWhole({ left, top, width, height }: Crop, size: Size): boolean {
  return left === 0 && top === 0 && width === size.width && height === size.height
}

/** Reads what a relationship says of a picture; a part that the picture does not have counts for nothing. */
export function lookOf(said: JsonObject, size: Size, made: readonly Crop[]): Look {
  const crop = isLost(said, size, made) ? wholeOf(size) : (cropIn(said) ?? wholeOf(size))
  const { x, y } = said
  const focus = typeof x === 'number' && typeof y === 'number' ? pointAt(crop, x, y) : null
  return { crop, focus, ratio: null }
}

/**
 * Whether a relationship asks for a part that nobody has made of the file: it was chosen before the file was replaced,
 * and the picture is shown whole.
 */
export function isLost(said: JsonObject, size: Size, made: readonly Crop[]): boolean {
  const crop = cropIn(said)
  return crop !== null && !(fits(crop, size) && made.some((one) => isSame(one, crop)))
}

/** The part that is named by the numbers of a relationship or a file; null where one is missing. */
export function cropIn(given: Json | undefined): Crop | null {
  if (!isObject(given)) return null
  const { left, top, width, height } = given
  const isWhole = [left, top, width, height].every((one) => typeof one === 'number')
  return isWhole ? { left: Number(left), top: Number(top), width: Number(width), height: Number(height) } : null
}

function isSame(one: Crop, other: Crop): boolean {
  return one.left === other.left && one.top === other.top && one.width === other.width && one.height === other.height
}

function fits({ left, top, width, height }: Crop, size: Size): boolean {
  return left >= 0 && top >= 0 && width > 0 && height > 0 && left + width <= size.width && top + height <= size.height
}

function pointAt({ left, top, width, height }: Crop, x: number, y: number): Point {
  return { x: left + (width * x) / 100, y: top + (height * y) / 100 }
}

/** The relationship's fields for a look; the names of numbers that say nothing are null. */
export function saidBy(
  look: Look,
  size: Size,
): Readonly<Record<'left' | 'top' | 'width' | 'height' | 'x' | 'y', Json>> {
  const { crop } = look
  const { x, y } = focusOf(look)
  const part = isWhole(crop, size) ? { left: null, top: null, width: null, height: null } : { ...crop }
  return { ...part, ...(look.focus === null ? { x: null, y: null } : { x, y }) }
}

/** The focal point in per cent of the part, in whole numbers. */
export function focusOf({ crop, focus }: Look): Point {
  if (focus === null) return { x: 50, y: 50 }
  const percent = (at: number, from: number, length: number) => Math.round(within(((at - from) / length) * 100, 0, 100))
  return { x: percent(focus.x, crop.left, crop.width), y: percent(focus.y, crop.top, crop.height) }
}

/** A look with its focal point at a place, in per cent of the part. */
export function focusedAt(look: Look, { x, y }: Point): Look {
  return { ...look, focus: pointAt(look.crop, within(x, 0, 100), within(y, 0, 100)) }
}

/** A look with its part moved to a place; it stays in the picture, and what it focuses on stays where it is. */
export function movedTo(look: Look, size: Size, { left, top }: Pick<Crop, 'left' | 'top'>): Look {
  const { crop } = look
  const moved = {
    ...crop,
    left: Math.round(within(left, 0, size.width - crop.width)),
    top: Math.round(within(top, 0, size.height - crop.height)),
  }
  return kept({ ...look, crop: moved })
}

/** A look with one or two edges of its part at a place; with a shape, the other side follows. */
export function resizedTo(look: Look, size: Size, edges: Readonly<Partial<Record<Edge, number>>>): Look {
  const { crop, ratio } = look
  const [right, bottom] = [crop.left + crop.width, crop.top + crop.height]
  const left = edges.left === undefined ? crop.left : within(edges.left, 0, right - LEAST)
  const top = edges.top === undefined ? crop.top : within(edges.top, 0, bottom - LEAST)
  const free = {
    left,
    top,
    width: (edges.right === undefined ? right : within(edges.right, left + LEAST, size.width)) - left,
    height: (edges.bottom === undefined ? bottom : within(edges.bottom, top + LEAST, size.height)) - top,
  }
  const isWide = edges.left !== undefined || edges.right !== undefined
  const shaped = ratio === null ? free : anchored(free, size, { ratio, isWide, edges })
  return kept({ ...look, crop: rounded(shaped, size) })
}

/** A part of a shape: the edges that were not moved stay where they are. */
function anchored(
  { left, top, width, height }: Crop,
  size: Size,
  { ratio, isWide, edges }: { ratio: number; isWide: boolean; edges: Readonly<Partial<Record<Edge, number>>> },
): Crop {
  const [right, bottom] = [left + width, top + height]
  const isFromRight = edges.left !== undefined
  const isFromBottom = edges.top !== undefined
  const room = { width: isFromRight ? right : size.width - left, height: isFromBottom ? bottom : size.height - top }
  const wanted = isWide ? width : height * ratio
  const fitting = Math.max(Math.min(wanted, room.width, room.height * ratio), LEAST * Math.max(1, ratio))
  const made = { width: fitting, height: fitting / ratio }
  return { ...made, left: isFromRight ? right - made.width : left, top: isFromBottom ? bottom - made.height : top }
}

/** A look with another shape: a part of it that is as large and has the same middle, as far as the picture reaches. */
export function shapedAs(look: Look, size: Size, ratio: number | null): Look {
  if (ratio === null) return { ...look, ratio }
  const { crop } = look
  const width = Math.min(Math.sqrt(crop.width * crop.height * ratio), size.width, size.height * ratio)
  const height = width / ratio
  const left = crop.left + (crop.width - width) / 2
  const top = crop.top + (crop.height - height) / 2
  return kept({ ...look, ratio, crop: rounded({ left, top, width, height }, size) })
}

function rounded({ left, top, width, height }: Crop, size: Size): Crop {
  const whole = { width: Math.min(Math.round(width), size.width), height: Math.min(Math.round(height), size.height) }
  return {
    ...whole,
    left: Math.round(within(left, 0, size.width - whole.width)),
    top: Math.round(within(top, 0, size.height - whole.height)),
  }
}

/** Moves the focal point into the part. */
function kept(look: Look): Look {
  const { crop, focus } = look
  if (focus === null) return look
  const x = within(focus.x, crop.left, crop.left + crop.width)
  return { ...look, focus: { x, y: within(focus.y, crop.top, crop.top + crop.height) } }
}

/** The visible region of a part in a box of another shape that it fills. */
export function seenIn(look: Look, ratio: number): Crop {
  const { crop } = look
  const width = Math.min(crop.width, crop.height * ratio)
  const height = width / ratio
  const { x, y } = focusOf(look)
  const left = crop.left + ((crop.width - width) * x) / 100
  return { left, top: crop.top + ((crop.height - height) * y) / 100, width, height }
}

function within(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most))
}
