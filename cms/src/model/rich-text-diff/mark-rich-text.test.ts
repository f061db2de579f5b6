import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment, serialize } from 'parse5'
import { describe, expect, test } from 'vitest'
import { drawBy, drawEdits, drawText, writeHtml } from '../../../test/rich-texts.ts'
import { fuzzing } from '../../../test/sample.ts'
import { plainText } from '../html-text.ts'
import { markRichText } from './mark-rich-text.ts'

type Node = DefaultTreeAdapterTypes.ChildNode
type Parent = DefaultTreeAdapterTypes.ParentNode
type Element = DefaultTreeAdapterTypes.Element

const isElement = (node: Node): node is Element => defaultTreeAdapter.isElementNode(node)
const isMark = (node: Node): node is Element =>
  isElement(node) && node.attrs.some(({ name }) => name === 'data-version-change')
const childrenOf = (node: Node): Node[] => (isElement(node) ? node.childNodes : [])

function descendants(node: Node): Node[] {
  return childrenOf(node).flatMap((child) => [child, ...descendants(child)])
}

/** The text of the HTML without one kind of marks. */
function without(change: 'ins' | 'del', html: string): string {
  const root = parseFragment(html)
  for (const mark of root.childNodes.flatMap((node) => [node, ...descendants(node)])) {
    if (isMark(mark) && mark.tagName === change) defaultTreeAdapter.detachNode(mark)
  }
  return plainText(serialize(root))
}

/** The markup without what was removed and without marks; elements that hold nothing are left out. */
function newerMarkup(html: string): string {
  const root = parseFragment(html)
  for (const child of [...root.childNodes]) unmark(child)
  return serialize(root)
}

function unmark(node: Node): void {
  const isRemoved = isMark(node) && isElement(node) && node.tagName === 'del'
  for (const child of [...childrenOf(node)]) {
    unmark(child)
    if (isMark(node) && !isRemoved) defaultTreeAdapter.insertBefore(node.parentNode as Parent, child, node)
  }
  if (isMark(node) || (isElement(node) && childrenOf(node).length === 0 && !/^(?:br|img|hr)$/.test(node.tagName)))
    defaultTreeAdapter.detachNode(node)
}

/** Whether two texts are the same; the end of a block may be a space in the other one, or nothing. */
function isSameText(one: string, other: string): boolean {
  let [at, otherAt] = [0, 0]
  while (at < one.length || otherAt < other.length) {
    const [character, otherCharacter] = [one[at], other[otherAt]]
    if (character === otherCharacter) [at, otherAt] = [at + 1, otherAt + 1]
    else if (character === '\n') [at, otherAt] = [at + 1, otherAt + (otherCharacter === ' ' ? 1 : 0)]
    else if (otherCharacter === '\n') [at, otherAt] = [at + (character === ' ' ? 1 : 0), otherAt + 1]
    else return false
  }
  return true
}

const parsed = (html: string) => serialize(parseFragment(html))

function expectWellMarked(older: string, newer: string): void {
  const html = markRichText(older, newer)
  expect(html.replaceAll(' />', '>').replaceAll('\u00a0', '&nbsp;')).toBe(parsed(html))
  const marks = parseFragment(html)
    .childNodes.flatMap((node) => [node, ...descendants(node)])
    .filter(isMark)
  for (const mark of marks) {
    const inside = descendants(mark).filter(isElement)
    expect(inside.filter(({ tagName }) => tagName !== 'br' && tagName !== 'img')).toEqual([])
    expect(isElement(mark.parentNode as Node) ? (mark.parentNode as Element).tagName : 'p').not.toMatch(
      /^(?:ul|ol|table|tbody|thead|tr|ins)$/,
    )
  }
  expect([without('del', html), newer]).toSatisfy(([text]) => isSameText(text, plainText(newer)))
  expect([without('ins', html), older]).toSatisfy(([text]) => isSameText(text, plainText(older)))
  expect(newerMarkup(html)).toBe(newerMarkup(newer))
}

describe('marked rich text', () => {
  test('§4.4 annotate: whatever was edited, the marked text is valid HTML and holds both texts', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const draw = drawBy(seed)
        const text = drawText(draw)
        expectWellMarked(writeHtml(text), writeHtml(drawEdits(draw, text)))
      }),
      fuzzing(300),
    )
  })

  test('§4.4 annotate: texts that have little in common', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const draw = drawBy(seed)
        expectWellMarked(writeHtml(drawText(draw)), writeHtml(drawText(draw)))
      }),
      fuzzing(150),
    )
  })

  test('§4.4 annotate: a text that was not changed is not marked', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const html = writeHtml(drawText(drawBy(seed)))
        expect(markRichText(html, html)).toBe(html)
      }),
      fuzzing(50),
    )
  })
})
