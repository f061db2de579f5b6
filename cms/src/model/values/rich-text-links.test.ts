import { describe, expect, it } from 'vitest'
import { resolveLinks } from './rich-text-links.ts'

const targets = new Map([['a1', { title: 'One & only', url: '/one?a=1&b=2' }]])

describe('§2.13 links in rich text', () => {
  it('§2.13 lead where their documents are; what the caller may not see is text', () => {
    const text =
      '<p><a href="#apostrophe-permalink-a1?updateTitle=1">x</a> <a href="#apostrophe-permalink-b2">y</a></p>'
    expect(resolveLinks(text, targets)).toBe('<p><a href="/one?a=1&amp;b=2">One &amp; only</a> y</p>')
  })

  it('§2.13 are found among any number of others that are nested and all end at the end', () => {
    const others = '<a href="/x">'.repeat(200_000)
    const ends = '</a>'.repeat(200_000)
    const text = `${others}<a href="#apostrophe-permalink-a1">x</a>${ends}`
    expect(resolveLinks(text, targets)).toBe(`${others}<a href="/one?a=1&amp;b=2">x</a>${ends}`)
  })
})
