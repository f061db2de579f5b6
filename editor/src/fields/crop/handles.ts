import {
  type Edge,
  focusedAt,
  focusOf,
  type Look,
  movedTo,
  type Point,
  resizedTo,
  type Size,
} from '../../model/crop.ts'

/** A handle of the frame: the part as a whole, its focal point, or some of its edges. */
export type Handle = 'move' | 'focus' | readonly Edge[]

/** A handle that keys move: its value along one of its directions, and its bounds. */
export interface SliderFacts {
  readonly now: number
  readonly least: number
  readonly most: number
}

/** The look after a handle was moved by some pixels. */
export function dragged(look: Look, size: Size, handle: Handle, by: Point): Look {
  const { crop } = look
  if (handle === 'move') return movedTo(look, size, { left: crop.left + by.x, top: crop.top + by.y })
  if (handle === 'focus') {
    const { x, y } = focusOf(look)
    return focusedAt(look, { x: x + (by.x / crop.width) * 100, y: y + (by.y / crop.height) * 100 })
  }
  const places = { left: crop.left, top: crop.top, right: crop.left + crop.width, bottom: crop.top + crop.height }
  const moved = handle.map((edge) => [edge, places[edge] + (isAcross(edge) ? by.x : by.y)])
  return resizedTo(look, size, Object.fromEntries(moved))
}

/** Whether an edge moves to the left and right. */
export function isAcross(edge: Edge): boolean {
  return edge === 'left' || edge === 'right'
}

const DIRECTIONS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/**
 * By how many pixels a key moves a handle: by one per cent of the picture, with Shift by one; the focal point by one per
 * cent of the part. Null for other keys.
 */
export function stepOf(
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
  size: Size,
  { handle, look: { crop } }: { readonly handle: Handle; readonly look: Look },
): Point | null {
  const direction = DIRECTIONS[key]
  if (direction === undefined) return null
  if (handle === 'focus') return { x: (direction.x * crop.width) / 100, y: (direction.y * crop.height) / 100 }
  const far = (length: number) => (shiftKey ? 1 : Math.max(1, Math.round(length / 100)))
  // `|| 0`: there is no minus nothing.
  return { x: direction.x * far(size.width) || 0, y: direction.y * far(size.height) || 0 }
}

/** Where an edge is, and where it can be. */
export function edgeFacts({ crop }: Look, size: Size, edge: Edge): SliderFacts {
  const [right, bottom] = [crop.left + crop.width, crop.top + crop.height]
  switch (edge) {
    case 'left':
      return { now: crop.left, least: 0, most: right }
    case 'top':
      return { now: crop.top, least: 0, most: bottom }
    case 'right':
      return { now: right, least: crop.left, most: size.width }
    case 'bottom':
      return { now: bottom, least: crop.top, most: size.height }
  }
}
