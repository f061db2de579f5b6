import { TokenType, tokenize } from '@csstools/css-tokenizer'
import fc from 'fast-check'
import postcss from 'postcss'
import { describe, expect, it } from 'vitest'
import { cssOf, problemsOf, siteStyles, widgetStyles } from '../../../test/styles.ts'
import {
  mediaMistake,
  propertyMistake,
  selectorMistake,
  siteValueMistake,
  splitSelectors,
  valueMistake,
} from './css-safety.ts'
import { toCss } from './to-css.ts'

const HOSTILE = [
  '</style',
  '<!--',
  '-->',
  '}',
  '{',
  ';',
  'url(javascript:alert(1))',
  'url(',
  'url("x")',
  'U\\52L(x)',
  'image-set("x")',
  'expression(1)',
  '@import "x"',
  '@',
  '/*',
  '*/',
  '*',
  '/',
  '\\',
  '\\;',
  '\\3c /style',
  '\n',
  '\f',
  '\0',
  '\u2028',
  '\ud800',
  '"',
  "'",
  '(',
  ')',
  '[',
  ']',
  '!important',
  ':',
  ',',
  '#',
  '.',
  '%VALUE%',
  '%a%',
  '$&',
  '&',
  'é',
  '😀',
  '--x',
  '-',
  '+',
  ' ',
  'red',
  '1px',
  '50%',
  'var(--x)',
  'rgb(1 2 3 / 50%)',
  'calc(1px + 2px)',
  '"a b"',
  "'</style>'",
]
const hostile = fc.array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...HOSTILE) }, fc.string({ maxLength: 4 })), {
  maxLength: 6,
})
const text = hostile.map((parts) => parts.join(''))

/** The declarations of a stylesheet, as an independent parser finds them: `media selector|property`. */
function declarations(css: string): string[] {
  const found: string[] = []
  postcss.parse(css).walk((node) => {
    if (node.type === 'comment') found.push('comment')
    if (node.type === 'atrule' && node.name !== 'media') found.push(`@${node.name}`)
    if (node.type === 'decl') found.push(`${(node.parent as postcss.Rule).selector}|${node.prop}`)
  })
  return found
}

const UNSAFE: readonly string[] = [
  TokenType.AtKeyword,
  TokenType.BadString,
  TokenType.BadURL,
  TokenType.CDC,
  TokenType.CDO,
  TokenType.Comment,
  TokenType.URL,
]

function expectOnlySafeTokens(css: string): void {
  const unsafe = tokenize({ css }).filter((token) => {
    if (token[0] === TokenType.Function) return /^(?:url|src|image|expression)/i.test(token[4].value)
    return UNSAFE.includes(token[0]) && token[1] !== '@media'
  })
  expect(unsafe).toEqual([])
  expect(css.replaceAll('<=', '')).not.toMatch(/[<\\\p{Cc}]/u)
}

const site = siteStyles({
  add: {
    plain: { type: 'string', selector: '.plain', property: 'font-family' },
    own: { type: 'string', selector: '.own', property: '--own' },
    sized: { type: 'string', selector: '.sized', property: 'width', unit: 'px', mediaQuery: '(width >= 600px)' },
    inside: { type: 'string', selector: '.inside', property: 'width', valueTemplate: 'calc(%VALUE%/2)' },
    joined: {
      type: 'object',
      selector: '.joined',
      property: 'grid-template',
      valueTemplate: '[a] %a%/%b% [b] 1px',
      fields: { add: { a: { type: 'string' }, b: { type: 'string' } } },
    },
    last: { type: 'color', selector: '.last', property: 'color', def: '#123456' },
  },
})
const EXPECTED = ['.plain|font-family', '.own|--own', '.sized|width', '.inside|width', '.joined|grid-template']

describe('§4.7 nothing that a value holds ends a declaration, a rule or a style element', () => {
  it('whatever the value: the stylesheet has the expected declarations, and the last one is whole', () => {
    let accepted = 0
    fc.assert(
      fc.property(text, text, (one, other) => {
        const values = { plain: one, own: one, sized: one, inside: one, joined: { a: one, b: other } }
        const wrong = new Set(problemsOf(site, values).map((problem) => problem.split(/[.:]/)[0] ?? ''))
        const clean = Object.fromEntries(Object.entries(values).filter(([name]) => !wrong.has(name)))
        const { css } = cssOf(site, clean)
        accepted += css.length > 30 ? 1 : 0
        const found = declarations(css)
        expect(found.pop()).toBe('.last|color')
        expect(css.endsWith('.last{color: #123456;}')).toBe(true)
        expect(EXPECTED).toEqual(expect.arrayContaining(found))
        expect(new Set(found).size).toBe(found.length)
        expectOnlySafeTokens(css)
      }),
      { numRuns: 2000 },
    )
    expect(accepted).toBeGreaterThan(100)
  })

  it('even when a value was stored before it was checked', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const values = { plain: one, own: one, sized: one, inside: one, joined: { a: one, b: other }, last: '#123456' }
        const { css } = toCss(site.styles, values)
        const found = declarations(css)
        expect(found.pop()).toBe('.last|color')
        expect(EXPECTED).toEqual(expect.arrayContaining(found))
        expectOnlySafeTokens(css)
      }),
      { numRuns: 1500 },
    )
  })

  it.each(
    HOSTILE.filter((part) => part.includes('url') || /[<>{};@\\!:\n\f\0\u2028\ud800]|\/\*|\*\/|^["'()[\]]$/.test(part)),
  )('refuses %j', (part) => {
    expect(valueMistake(`red ${part} x`)).not.toBeNull()
  })

  it.each([
    'Arial, "Fira Sans", sans-serif',
    "'Old Standard', serif",
    'rgb(0 0 0 / 50%)',
    'clamp(1rem, 2.5vw + 1px, 3rem)',
    'linear-gradient(to right, #fff 0%, var(--accent))',
    'repeat(auto-fit, minmax(10rem, 1fr))',
    '[full-start] 1fr [full-end]',
    '1px solid oklch(40% 0.2 120)',
    '--accent',
    '16 / 9',
    'Żółw, 明朝',
  ])('takes %j', (value) => {
    expect(valueMistake(value)).toBeNull()
  })

  it('takes as long for a value of the longest size as its length says, and refuses longer ones', () => {
    const nested = '('.repeat(1000) + ')'.repeat(1000)
    expect(valueMistake(nested)).toBeNull()
    expect(valueMistake('"'.repeat(1_000_000))).toMatch(/at most 2000 characters/)
    expect(problemsOf(site, { plain: 'a'.repeat(2001) })).toEqual([
      'plain: This is not a CSS value: it must have at most 2000 characters.',
    ])
  })
})

describe('§2.8 what a site says in CSS', () => {
  it('whatever it is: what is taken stands in its place', () => {
    fc.assert(
      fc.property(text, (part) => {
        if (selectorMistake(part, { isNested: false }) === null) {
          const [rule, next] = postcss.parse(`${part}{color: red}b{color: blue}`).nodes
          expect(rule).toMatchObject({ type: 'rule' })
          expect(next).toMatchObject({ type: 'rule', selector: 'b' })
          expect(part).not.toContain('<')
        }
        if (mediaMistake(part) === null) {
          const [rule, next] = postcss.parse(`@media ${part}{a{color: red}}b{color: blue}`).nodes
          expect(rule).toMatchObject({ type: 'atrule', name: 'media' })
          expect(next).toMatchObject({ type: 'rule', selector: 'b' })
        }
        if (siteValueMistake(part) === null) {
          const [rule, next] = postcss.parse(`a{--a: ${part};color: red}b{color: blue}`).nodes
          expect((rule as postcss.Rule).nodes.map((node) => node.type)).toEqual(['decl', 'decl'])
          expect(next).toMatchObject({ type: 'rule', selector: 'b' })
        }
        if (propertyMistake(part) === null) expect(part).toMatch(/^[\w-]+$/)
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    'h1',
    '.card:hover > a::before',
    'a[href^="https://"]:not(.x, :is(p, q))',
    'li:nth-child(2n + 1)',
    ':root',
    '*',
    '.md\\:flex',
    '#main .x ~ y + z',
    'svg|a *|*',
    'a:has(> img, + .note)::part(label)',
    'input[type=text i]:not([disabled]):lang(en, "fr")',
    'p::before:hover',
  ])('takes the selector %j', (selector) => {
    expect(selectorMistake(selector, { isNested: false })).toBeNull()
  })

  it.each(['&.x', '&#x', '&[x]', '&:hover', '& > b', '& b', '> b', '+ .x', ':hover', 'h3'])(
    'takes the nested selector %j',
    (selector) => {
      expect(selectorMistake(selector, { isNested: true })).toBeNull()
    },
  )

  it.each(['&1', '&x', '&*', '>', '& >'])('refuses the nested selector %j', (selector) => {
    expect(selectorMistake(selector, { isNested: true })).not.toBeNull()
  })

  it.each([
    '',
    ' ',
    'a{',
    'a}',
    'a;',
    'a,',
    '> a',
    'a >',
    '&.x',
    '@media',
    'a/*',
    'a[b="',
    'a\\',
    'a(',
    '</style',
    'a]',
    ...'a..b a##b #1 .1 # . a. 50% "b" a[] a[=] ^ =a $= a() var(--x) a$b a[b=] a: a:is() a:nth-child() :is(a,)'.split(
      ' ',
    ),
    'a >> b',
    'a > > b',
    'a[b c]',
  ])('refuses the selector %j', (selector) => {
    expect(splitSelectors(selector).every((one) => selectorMistake(one, { isNested: false }) === null)).toBe(false)
  })

  it.each([
    '(max-width: 600px)',
    'screen and (width >= 40rem)',
    'not (400px <= width < 700px)',
    '(aspect-ratio: 16/9), print',
  ])('takes the media query %j', (query) => {
    expect(mediaMistake(query)).toBeNull()
  })

  it.each(['</style', '(width<!--', '(width<b)', '@media print', 'print;', 'print{'])(
    'refuses the media query %j',
    (query) => {
      expect(mediaMistake(query)).not.toBeNull()
    },
  )

  it.each([
    'url(javascript:alert(1))',
    'url("data:text/html,x")',
    'url(x y)',
    'url("x',
    'url(var(--x))',
    'a;b',
    '! important x',
  ])('refuses the value %j', (value) => {
    expect(siteValueMistake(value)).not.toBeNull()
  })

  it.each(['url(/dots.svg)', 'url("https://cdn.example.org/a.png") no-repeat', 'red !important'])(
    'takes the value %j',
    (value) => {
      expect(siteValueMistake(value)).toBeNull()
    },
  )
})

describe('§4.7 the same values', () => {
  it('give the same bytes, in whatever order they are', () => {
    const widget = widgetStyles({ add: { a: 'border', b: 'boxShadow', c: 'padding' } })
    const values = { a: { active: true, radius: 2 }, b: { x: 1, active: true }, c: { left: 2, top: 1 } }
    const turned = { c: { top: 1, left: 2 }, b: { active: true, x: 1 }, a: { radius: 2, active: true } }
    expect(cssOf(widget, turned, { rootSelector: '#a' })).toEqual(cssOf(widget, values, { rootSelector: '#a' }))
  })
})
