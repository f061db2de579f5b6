import { describe, expect, it } from 'vitest'
import { referenceStyles } from '../../../../conformance/types/styles.ts'
import { cssOf, problemsOf, siteStyles, widgetStyles } from '../../../test/styles.ts'
import type { JsonObject } from '../../base/json.ts'
import { toCss } from './to-css.ts'

const reference = siteStyles(referenceStyles)
const UNTOUCHED = {
  body: 'body{color: #112233;}',
  head: 'h1{font-size: 32px;text-shadow: 1px 2px #ff0000;}h2{font-size: 32px;}',
  rest: '.block{width: 100%;}:root{--apos-layout-gap: 24px;}',
}

describe('§4.7 the CSS of a site', () => {
  it('is as recorded when everything is set', () => {
    const values = {
      bodyColor: '#abcdef',
      headSize: 40,
      theme: 'theme-dark',
      wide: true,
      pad: { top: 1, right: 2, bottom: 3, left: 4 },
      mar: { top: 5, right: 5, bottom: 5, left: 5 },
      cardBorder: {
        active: true,
        width: { top: 1, right: 1, bottom: 1, left: 1 },
        radius: 8,
        color: '#111111',
        style: 'solid',
      },
      cardShadow: { active: true, x: 2, y: 3, blur: 4, color: '#222222' },
      heroBackground: {
        enabled: true,
        backgroundType: 'gradient',
        gradientStart: '#000001',
        gradientEnd: '#fffffe',
        gradientAngle: 90,
        overlay: true,
        overlayColor: '#0000ff',
        overlayOpacity: 25,
      },
      blockWidth: 80,
      blockAlign: 'apos-right',
      layoutGap: 30,
      linkGroup: { normal: '#010203', hover: '#040506' },
      shadowText: { x: 3, y: 4, c: '#00ff00' },
      fam: 'Arial',
    }
    expect(cssOf(reference, values)).toEqual({
      css:
        'body{color: #abcdef;font-family: Arial;}h1{font-size: 40px;text-shadow: 3px 4px #00ff00;}h2{font-size: 40px;}' +
        '.page{padding-top: 1px;padding-right: 2px;padding-bottom: 3px;padding-left: 4px;}' +
        '@media (max-width: 800px){.page{margin: 5px;}}' +
        '.card{border-width: 1px;border-radius: 8px;border-color: #111111;border-style: solid;box-shadow: 2px 3px 4px #222222;}' +
        '.hero{background: linear-gradient(90deg, #000001, #fffffe);}.block{width: 80%;}:root{--apos-layout-gap: 30px;}' +
        'a{color: #010203;}a:hover{color: #040506;}',
      inline: '',
      classes: ['theme-dark', 'is-wide', 'apos-right'],
    })
  })

  it('has the defaults of what is left out, inside of objects too, and no empty rules', () => {
    expect(cssOf(reference, {})).toEqual({
      css: UNTOUCHED.body + UNTOUCHED.head + UNTOUCHED.rest,
      inline: '',
      classes: ['theme-light'],
    })
    const values = { shadowText: { x: 5 }, cardBorder: { active: true }, cardShadow: { active: true } }
    expect(cssOf(reference, values).css).toBe(
      `${UNTOUCHED.body}h1{font-size: 32px;text-shadow: 5px 2px #ff0000;}h2{font-size: 32px;}` +
        '.card{border-width: 1px;border-radius: 0px;border-color: black;border-style: solid;' +
        `box-shadow: 4px 4px 2px gray;}${UNTOUCHED.rest}`,
    )
  })

  it('has only the sides of a box that are set, and one declaration for equal ones', () => {
    const values = {
      pad: { top: 4 },
      mar: { top: 1, bottom: 2 },
      cardBorder: { active: true, width: { top: 1, right: 2, bottom: 3, left: 4 }, style: 'dashed' },
    }
    expect(cssOf(reference, values).css).toContain(
      '.page{padding-top: 4px;}@media (max-width: 800px){.page{margin-top: 1px;margin-bottom: 2px;}}' +
        '.card{border-top-width: 1px;border-right-width: 2px;border-bottom-width: 3px;border-left-width: 4px;',
    )
    expect(cssOf(reference, { pad: { top: 4, right: 4, bottom: 4, left: 4 } }).css).toContain('.page{padding: 4px;}')
  })

  it('has all sides of a box in one declaration where CSS has none for each', () => {
    const box = (property: string) => siteStyles({ add: { it: { type: 'box', unit: 'px', selector: 'p', property } } })
    const css = (property: string, it: object) => cssOf(box(property), { it }).css
    const equal = { top: 1, right: 1, bottom: 1, left: 1 }
    const some = { top: 1, left: 4 }
    for (const [property, ofEqual, ofSome] of [
      ['margin', 'margin: 1px;', 'margin-top: 1px;margin-left: 4px;'],
      ['scroll-margin-%key%', 'scroll-margin: 1px;', 'scroll-margin-top: 1px;scroll-margin-left: 4px;'],
      ['inset', 'inset: 1px;', 'top: 1px;left: 4px;'],
      ['%key%', 'inset: 1px;', 'top: 1px;left: 4px;'],
      ['border-width', 'border-width: 1px;', 'border-top-width: 1px;border-left-width: 4px;'],
      ['border-radius', 'border-radius: 1px;', 'border-radius: 1px 0px 0px 4px;'],
      ['--pad', '--pad: 1px;', '--pad: 1px 0px 0px 4px;'],
      [
        '--pad-%key%',
        '--pad-top: 1px;--pad-right: 1px;--pad-bottom: 1px;--pad-left: 1px;',
        '--pad-top: 1px;--pad-left: 4px;',
      ],
    ] as const) {
      expect([css(property, equal), css(property, some)]).toEqual([`p{${ofEqual}}`, `p{${ofSome}}`])
    }
    const valueTemplate = '%VALUE% !important'
    const whole = siteStyles({
      add: { it: { type: 'box', unit: 'px', selector: 'p', property: '--pad', valueTemplate } },
    })
    expect(cssOf(whole, { it: some }).css).toBe('p{--pad: 1px 0px 0px 4px !important;}')
  })

  it('is made of values that its fields take, whatever is passed in', () => {
    const one = siteStyles({
      add: {
        pad: { preset: 'padding', selector: 'p' },
        look: { type: 'select', selector: 'p', property: 'display', choices: ['block', 'flex'], def: 'flex' },
        align: 'alignment',
        size: { type: 'range', selector: 'p', property: 'order', min: 0, max: 9 },
        hero: { preset: 'background', selector: '.hero' },
      },
    })
    const raw = (values: object) => toCss(one.styles, values as JsonObject)
    const out = '1px} body{display:none} x{a:b'
    expect(raw({ pad: { top: out, left: 2 } }).css).toBe('p{padding-left: 2px;display: flex;}')
    expect(raw({ pad: { top: Number.NaN }, size: Number.POSITIVE_INFINITY }).css).toBe('p{display: flex;}')
    const hero = { enabled: true, backgroundType: 'color', color: 'url(http://x.test)' }
    expect(raw({ look: 'url(http://x.test)', align: 'other', hero })).toEqual({
      css: 'p{display: flex;}',
      inline: '',
      classes: [],
    })
  })

  it('leaves out what its conditions rule out', () => {
    const values = { cardBorder: { active: false, radius: 3 }, cardShadow: { active: false, x: 9 } }
    expect(cssOf(reference, values).css).toBe(UNTOUCHED.body + UNTOUCHED.head + UNTOUCHED.rest)
    const one = siteStyles({
      add: {
        fancy: { type: 'boolean' },
        ink: { type: 'color', selector: 'body', property: 'color', if: { fancy: true } },
        mood: { type: 'select', class: true, choices: ['calm', 'loud'], if: { fancy: true } },
      },
    })
    expect(cssOf(one, { ink: '#123', mood: 'loud' })).toEqual({ css: '', inline: '', classes: [] })
    expect(cssOf(one, { fancy: true, ink: '#123', mood: 'loud' })).toMatchObject({
      css: 'body{color: #123;}',
      classes: ['loud'],
    })
  })

  it('is made of values that are refused at their path when they are wrong', () => {
    const wrong = {
      bodyColor: 'javascript:alert(1)',
      fam: 'Arial;} body{display:none',
      headSize: 999,
      theme: 'nosuch',
      cardShadow: { active: true, x: 100, y: -100 },
    }
    expect(problemsOf(reference, wrong).map((text) => text.split(':')[0])).toEqual([
      'bodyColor',
      'headSize',
      'theme',
      'cardShadow.x',
      'cardShadow.y',
      'fam',
    ])
    expect(problemsOf(reference, { fam: 'Arial;} body{display:none' })).toEqual([
      'fam: This is not a CSS value: it must not contain ";".',
    ])
  })

  it('takes selectors and properties as lists, and gives one rule to each selector', () => {
    const one = siteStyles({
      add: {
        ink: { type: 'color', selector: ['h1, h2', 'a:is(.b, .c)'], property: ['color', '--ink'] },
        more: { type: 'range', min: 0, max: 9, selector: 'h2', property: 'z-index' },
      },
    })
    expect(cssOf(one, { ink: '--brand', more: 3 }).css).toBe(
      'h1{color: var(--brand);--ink: var(--brand);}h2{color: var(--brand);--ink: var(--brand);z-index: 3;}' +
        'a:is(.b, .c){color: var(--brand);--ink: var(--brand);}',
    )
  })

  it('puts values with their units into templates', () => {
    const one = siteStyles({
      add: {
        size: {
          type: 'range',
          min: 0,
          max: 9,
          step: 0.1,
          unit: 'rem',
          selector: 'p',
          property: 'width',
          valueTemplate: 'calc(%VALUE% + 2px)',
        },
        space: { type: 'box', unit: 'px', selector: 'p', property: 'inset', valueTemplate: 'max(1px, %VALUE%)' },
        shade: {
          type: 'object',
          selector: 'p',
          property: 'filter',
          valueTemplate: 'drop-shadow(%x% %x% %tone%)',
          fields: { add: { x: { type: 'range', min: 0, max: 9, unit: 'px' }, tone: { type: 'color' } } },
        },
      },
    })
    const values = { size: 1.5, space: { top: 2 }, shade: { x: 3, tone: '#000' } }
    expect(cssOf(one, values).css).toBe(
      'p{width: calc(1.5rem + 2px);top: max(1px, 2px);filter: drop-shadow(3px 3px #000);}',
    )
    expect(cssOf(one, { shade: { x: 3 } }).css).toBe('')
  })

  it('does not read placeholders in values', () => {
    const one = siteStyles({
      add: {
        it: {
          type: 'object',
          selector: 'p',
          property: 'font',
          valueTemplate: '%a% %b%',
          fields: { add: { a: { type: 'string' }, b: { type: 'string' } } },
        },
      },
    })
    expect(cssOf(one, { it: { a: '"%b% $&"', b: '"x"' } }).css).toBe('p{font: "%b% $&" "x";}')
  })

  it('makes classes of choices, checked boxes and booleans', () => {
    const one = siteStyles({
      add: {
        look: { type: 'select', class: true, choices: [{ value: 'a md:b/2', label: 'Both' }] },
        more: { type: 'checkboxes', class: true, choices: ['x', 'y', 'z'] },
        wide: { type: 'boolean', class: 'is-wide' },
      },
    })
    expect(cssOf(one, { look: 'a md:b/2', more: ['x', 'z'], wide: true }).classes).toEqual([
      'a',
      'md:b/2',
      'x',
      'z',
      'is-wide',
    ])
  })

  it('gives fields without a selector, which only presets are, to the body', () => {
    expect(cssOf(siteStyles({ add: { pad: 'padding' } }), { pad: { top: 1 } }).css).toBe('body{padding-top: 1px;}')
  })
})

describe('§4.7 the CSS of a widget', () => {
  const widget = widgetStyles({
    add: {
      alignment: 'alignment',
      padding: 'padding',
      background: 'background',
      border: 'border',
      gap: 'layoutGap',
      headingColor: { type: 'color', selector: 'h3', property: 'color' },
      fontSize: {
        type: 'range',
        min: 10,
        max: 60,
        unit: 'px',
        property: 'font-size',
        mediaQuery: '(max-width: 600px)',
      },
      hover: { type: 'color', selector: [':hover', '&.on', '> b'], property: 'outline-color' },
    },
  })

  it('§4.7 has the styles of its wrapper in a rule where it has others, which an attribute would override', () => {
    const values = {
      alignment: 'apos-left',
      padding: { top: 8, right: 8, bottom: 8, left: 8 },
      background: { enabled: true, color: '#123123' },
      gap: 10,
      headingColor: '#abc',
      fontSize: 16,
      hover: '#def',
    }
    expect(cssOf(widget, values, { rootSelector: '#w1' })).toEqual({
      css:
        '#w1{padding: 8px;background-color: #123123;--apos-layout-gap: 10px;}' +
        '#w1 h3{color: #abc;}@media (max-width: 600px){#w1{font-size: 16px;}}' +
        '#w1:hover{outline-color: #def;}#w1.on{outline-color: #def;}#w1 > b{outline-color: #def;}',
      inline: '',
      classes: ['apos-left'],
    })
    const { padding, gap } = values
    expect(cssOf(widget, { padding, gap }, { rootSelector: '#w1' })).toEqual({
      css: '',
      inline: 'padding: 8px;--apos-layout-gap: 10px;',
      classes: [],
    })
  })
})

describe('§2.9 the preset background', () => {
  const one = siteStyles({ add: { hero: { preset: 'background', selector: '.hero' } } })
  const own = siteStyles({ add: { hero: { preset: 'background', selector: '.hero', property: '--hero' } } })
  const image = { enabled: true, backgroundType: 'image', imageIds: ['i1'], imageFields: { i1: { x: 20, y: 70.5 } } }
  const options = { imageUrl: ({ docId }: { docId: string }) => `/uploads/${docId} a")}<b>.jpg` }

  it('is a colour, a gradient, or an image at its focal point', () => {
    expect(cssOf(one, { hero: { enabled: true, color: '#123123' } }).css).toBe('.hero{background-color: #123123;}')
    expect(cssOf(one, { hero: { enabled: true, backgroundType: 'gradient' } }).css).toBe(
      '.hero{background: linear-gradient(180deg, #000000, #ffffff);}',
    )
    expect(cssOf(one, { hero: image }, options).css).toBe(
      '.hero{background-image: url("/uploads/i1%20a%22%29}%3Cb%3E.jpg");background-position: 20% 70.5%;' +
        'background-size: cover;background-repeat: no-repeat;}',
    )
  })

  it('has an overlay over an image', () => {
    const hero = { ...image, imageFields: {}, overlay: true, overlayColor: '#00f', overlayOpacity: 25 }
    expect(cssOf(one, { hero }, { imageUrl: () => '/a.jpg' }).css).toContain(
      '{background-image: linear-gradient(color-mix(in srgb, #00f 25%, transparent), ' +
        'color-mix(in srgb, #00f 25%, transparent)), url("/a.jpg");background-position: center;',
    )
    expect(cssOf(own, { hero }, { imageUrl: () => '/a.jpg' }).css).toBe(
      '.hero{--hero: linear-gradient(color-mix(in srgb, #00f 25%, transparent), ' +
        'color-mix(in srgb, #00f 25%, transparent)) center / cover no-repeat, url("/a.jpg") center / cover no-repeat;}',
    )
  })

  it('is none when it is off, or its image is gone', () => {
    expect(cssOf(one, { hero: { ...image, enabled: false } }, options).css).toBe('')
    expect(cssOf(one, { hero: image }, { imageUrl: () => null }).css).toBe('')
    expect(cssOf(one, { hero: { ...image, imageIds: [] } }, options).css).toBe('')
  })
})
