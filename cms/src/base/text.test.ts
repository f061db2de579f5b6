import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinPath } from './json.ts'
import { cutText, foldText, isSlugTooLong, lengthOf, searchWords, slugify, sortText, withoutPassword } from './text.ts'

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 400 }))

describe('§2 Slugs', () => {
  it.each([
    ['Hello, World!', 'hello-world'],
    ['  --a__b--  ', 'a-b'],
    ['Über Größe', 'über-größe'],
    ['U\u0308ber', 'über'],
    ['Москва 2026', 'москва-2026'],
    ['東京 タワー', '東京-タワー'],
    ['हिन्दी में', 'हिन्दी-में'],
    ['don’t/stop', 'don-t-stop'],
    ['!?…', ''],
    ['', ''],
  ])('§2 slugify makes %j into %j', (given, expected) => {
    expect(slugify(given)).toBe(expected)
  })

  it.each([
    ['/', '/'],
    ['/About us/Our Team/', '/about-us/our-team'],
    ['//a///b', '/a/b'],
    ['a/b', 'a/b'],
    ['/!!/x', '/x'],
  ])('§2 slugify with slashes allowed makes %j into %j', (given, expected) => {
    expect(slugify(given, { allow: '/' })).toBe(expected)
  })

  it('§2 slugs have at most 200 characters, never end in a dash, and slugify to themselves', () => {
    expect(slugify(`${'x'.repeat(199)} y`)).toBe('x'.repeat(199))
    expect(isSlugTooLong('x'.repeat(200))).toBe(false)
    expect(isSlugTooLong('x'.repeat(201))).toBe(true)
    fc.assert(
      fc.property(text, fc.constantFrom({}, { allow: '/' as const }), (given, options) => {
        const slug = slugify(given, options)
        expect(slugify(slug, options)).toBe(slug)
        expect(lengthOf(slug)).toBeLessThanOrEqual(options.allow ? 1000 : 200)
        for (const part of slug.split('/')) expect(lengthOf(part)).toBeLessThanOrEqual(200)
        expect(slug).not.toMatch(/^-|-$|.\/$|--|\/\/|\s/)
        expect(slug.isWellFormed()).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('§4.1 how texts are compared', () => {
  it('§4.1 filters compare whole texts ignoring case but not accents', () => {
    expect(foldText('ÉCOLE')).toBe(foldText('e\u0301cole'))
    expect(foldText('école')).not.toBe(foldText('ecole'))
    expect(foldText('ΟΔΟΣ')).toBe(foldText('οδος'))
    const long = 'word '.repeat(100)
    expect(lengthOf(foldText(long))).toBe(300)
    expect(foldText(`${long}a`)).not.toBe(foldText(`${long}b`))
    expect(foldText(`${long}A`)).toBe(foldText(`${long}a`))
    fc.assert(fc.property(text, (given) => foldText(foldText(given)) === foldText(given)))
  })

  it('§4.1 lists sort ignoring case and accents', () => {
    const titles = ['Zebra', 'école', 'Éclair', 'apple', ' Ærø', 'Straße', 'strasse 2']
    expect(titles.toSorted((a, b) => (sortText(a) < sortText(b) ? -1 : 1))).toEqual([
      ' Ærø',
      'apple',
      'Éclair',
      'école',
      'Straße',
      'strasse 2',
      'Zebra',
    ])
    expect(sortText('が')).not.toBe(sortText('か'))
  })

  it.each([
    ['L’Été naïve, DÉJÀ-vu', ['l', 'ete', 'naive', 'deja', 'vu']],
    ['Straße Ærø łódź', ['strasse', 'aero', 'lodz']],
    ['Ёлка', ['елка']],
    ['東京に行きました', ['東京', 'に', '行き', 'ま', 'した']],
    ['สวัสดีชาวโลก', ['สวัสดี', 'ชาว', 'โลก']],
    ['한국어 हिन्दी', ['한국어', 'हिन्दी']],
    ['a1 <b> 3.5', ['a1', 'b', '3', '5']],
    ['… !', []],
  ])('§4.1 search reads %j as the words %j', (given, expected) => {
    expect(searchWords(given)).toEqual(expected)
  })

  it('§4.1 search finds all words of very long texts, with spaces or without', () => {
    expect(searchWords('漢字'.repeat(150_000)).length).toBeGreaterThan(140_000)
    expect(searchWords('word '.repeat(300_000))).toHaveLength(300_000)
  })

  it('§4.1 search words have at most 64 characters, whatever the text', () => {
    expect(searchWords('x'.repeat(1000))).toEqual(['x'.repeat(64)])
    fc.assert(
      fc.property(text, (given) => searchWords(given).every((word) => lengthOf(word) <= 64 && !/\s/.test(word))),
    )
  })
})

describe('§0.5 limits on what a request asks', () => {
  it.each([
    ['slugs', slugify],
    ['filters', foldText],
    ['sorting', sortText],
    ['search', searchWords],
  ])('of many combining marks in a row %s knows 30', (_, read) => {
    const marks = '\u0323\u0301'
    const many = read(`x${marks.repeat(100_000)}yz`)
    expect(many).toEqual(read(`x${marks.repeat(15)}yz`))
    expect(many.length).toBeGreaterThan(0)
  })
})

describe('text', () => {
  it('§2 texts are measured and cut by characters, and letters keep their marks', () => {
    expect(lengthOf('a😀b')).toBe(3)
    expect(cutText('😀😀😀', 2)).toBe('😀😀')
    expect(cutText('abe\u0301', 3)).toBe('ab')
    expect(cutText('abc', 3)).toBe('abc')
  })

  it('§0 the steps of a path are joined by dots', () => {
    expect(joinPath('a', 'b')).toBe('a.b')
    expect(joinPath('', 'b')).toBe('b')
    expect(joinPath('a', '')).toBe('a')
  })
})

describe('§10 addresses of databases in messages', () => {
  it.each([
    ['postgres://quire:s3cret@db.test/quire', 'postgres://quire@db.test/quire'],
    ['postgresql://quire:s3@cret@db.test/quire?sslmode=require', 'postgresql://quire@db.test/quire?sslmode=require'],
    ['postgres://db.test/quire?user=quire&password=s3cret&x=1', 'postgres://db.test/quire?user=quire&password=…&x=1'],
    ['mysql://quire:s3cret@db.test', 'mysql://quire@db.test'],
    ['postgres://quire@db.test/a:b@c', 'postgres://quire@db.test/a:b@c'],
    ['postgres://quire:s3#c/r?et@db.test/quire', 'postgres://quire@db.test/quire'],
    ['sqlite:data/quire.db', 'sqlite:data/quire.db'],
  ])('%s is shown without its password', (url, shown) => {
    expect(withoutPassword(url)).toBe(shown)
  })
})
