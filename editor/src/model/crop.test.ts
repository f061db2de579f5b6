import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Crop,
  type Edge,
  focusedAt,
  focusOf,
  isLost,
  LEAST,
  type Look,
  lookOf,
  movedTo,
  resizedTo,
  type Size,
  saidBy,
  seenIn,
  shapedAs,
  wholeOf,
} from './crop.ts'

const RATIOS = [null, 1, 4 / 3, 16 / 9] as const
const size: fc.Arbitrary<Size> = fc.record({
  width: fc.integer({ min: 40, max: 4000 }),
  height: fc.integer({ min: 40, max: 4000 }),
})
const far = fc.integer({ min: -5000, max: 9000 })
const edges: fc.Arbitrary<Partial<Record<Edge, number>>> = fc.record(
  { left: far, top: far, right: far, bottom: far },
  { requiredKeys: [] },
)

type Step = (look: Look, size: Size) => Look
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ left: far, top: far }).map(
    (place): Step =>
      (look, all) =>
        movedTo(look, all, place),
  ),
  edges.map(
    (given): Step =>
      (look, all) =>
        resizedTo(look, all, given),
  ),
  fc.constantFrom(...RATIOS).map(
    (ratio): Step =>
      (look, all) =>
        shapedAs(look, all, ratio),
  ),
  fc.record({ x: far, y: far }).map(
    (point): Step =>
      (look) =>
        focusedAt(look, point),
  ),
)

const looks = fc.tuple(size, fc.array(step, { maxLength: 8 })).map(([all, steps]) => {
  const first: Look = { crop: wholeOf(all), focus: null, ratio: null }
  return { all, look: steps.reduce((look, one) => one(look, all), first) }
})

test('4.6 a part lies in the picture, in whole pixels, whatever is done to it', () => {
  const isInside = ({ all, look: { crop } }: { all: Size; look: Look }) => {
    expect(Object.values(crop).every(Number.isInteger)).toBe(true)
    expect(crop.left >= 0 && crop.top >= 0 && crop.width >= 1 && crop.height >= 1).toBe(true)
    expect(crop.left + crop.width <= all.width && crop.top + crop.height <= all.height).toBe(true)
  }
  fc.assert(fc.property(looks, isInside))
})

test('4.6 what is focused on lies in the part, from 0 to 100 per cent of it', () => {
  const isInside = ({ look }: { look: Look }) => {
    const { x, y } = focusOf(look)
    expect([x, y].every((one) => Number.isInteger(one) && one >= 0 && one <= 100)).toBe(true)
  }
  fc.assert(fc.property(looks, isInside))
})

test('4.6 what a relationship says of a picture is read as it was chosen', () => {
  const isRead = ({ all, look }: { all: Size; look: Look }) => {
    const said = saidBy(look, all)
    const again = lookOf(said, all, [look.crop])
    expect(again.crop).toEqual(look.crop)
    expect(saidBy(again, all)).toEqual(said)
  }
  fc.assert(fc.property(looks, isRead))
})

test('4.6 a shape is kept by edges, to the pixel', () => {
  const shaped = fc.tuple(size, fc.constantFrom(1, 4 / 3, 16 / 9), edges)
  const isKept = ([all, ratio, given]: [Size, number, Partial<Record<Edge, number>>]) => {
    const look = shapedAs({ crop: wholeOf(all), focus: null, ratio: null }, all, ratio)
    for (const { crop } of [look, resizedTo(look, all, given)])
      expect(Math.abs(crop.width - crop.height * ratio)).toBeLessThanOrEqual(ratio + 1)
  }
  fc.assert(fc.property(shaped, isKept))
})

test('4.6 the edge that is not moved stays, and no part is smaller than there is room to hold it', () => {
  const look: Look = { crop: { left: 10, top: 10, width: 50, height: 40 }, focus: null, ratio: null }
  const all = { width: 100, height: 100 }
  expect(resizedTo(look, all, { left: 30 }).crop).toEqual({ left: 30, top: 10, width: 30, height: 40 })
  expect(resizedTo(look, all, { left: 90 }).crop).toEqual({ left: 60 - LEAST, top: 10, width: LEAST, height: 40 })
  expect(resizedTo({ ...look, ratio: 1 }, all, { left: 30, top: 30 }).crop).toEqual({
    left: 30,
    top: 20,
    width: 30,
    height: 30,
  })
})

test('4.6 a part that nobody has made of the file, as after it was replaced, counts for nothing', () => {
  const all = { width: 100, height: 100 }
  const crop: Crop = { left: 10, top: 10, width: 50, height: 40 }
  expect(lookOf({ ...crop }, all, [crop]).crop).toEqual(crop)
  expect([isLost({ ...crop }, all, [crop]), isLost({ ...crop }, all, []), isLost({}, all, [])]).toEqual([
    false,
    true,
    false,
  ])
  expect(isLost({ ...crop, width: 91 }, all, [{ ...crop, width: 91 }])).toBe(true)
  expect(lookOf({ ...crop, x: 20, y: 30 }, all, [])).toEqual({
    crop: wholeOf(all),
    focus: { x: 20, y: 30 },
    ratio: null,
  })
})

test('4.6 a box of another shape shows as much of a part as fits, around its focal point', () => {
  const look = focusedAt(
    { crop: { left: 100, top: 0, width: 200, height: 100 }, focus: null, ratio: null },
    { x: 100, y: 0 },
  )
  expect(seenIn(look, 1)).toEqual({ left: 200, top: 0, width: 100, height: 100 })
  expect(seenIn(look, 4)).toEqual({ left: 100, top: 0, width: 200, height: 50 })
})
