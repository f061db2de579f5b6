import { describe, expect, it } from 'vitest'
import { referenceStyles } from '../../../../conformance/types/styles.ts'
import { cssOf, siteStyles, widgetStyles } from '../../../test/styles.ts'
import type { Presets } from '../declared/preset.ts'
import { SITE_STYLES } from '../styles/style-options.ts'
import { toCss } from '../styles/to-css.ts'
import { compilePresets } from './compile-styles.ts'

const ofSite = (add: object) => siteStyles({ add }).mistakes
const ofWidget = (add: object) => widgetStyles({ add }).mistakes
const inObject = (add: object) => ofWidget({ o: { type: 'object', fields: { add } } })
const color = { type: 'color', property: 'color' } as const

describe('§2.8 style fields', () => {
  it('are fields like others, with their defaults, in their order', () => {
    const { styles, mistakes } = siteStyles(referenceStyles)
    expect(mistakes).toEqual([])
    expect(styles.fields.list.map(({ name }) => name)).toEqual(Object.keys(referenceStyles.add))
    expect(styles.fields.byName.get('heroBackground')?.type.name).toBe('object')
    expect(styles.rules.find(({ layoutGapDefault }) => layoutGapDefault)?.field.name).toBe('layoutGap')
  })

  it.each<[string, object, string[]]>([
    ['no selector', { a: color }, ['styles.add.a.selector: is missing: name the elements that the style is for']],
    [
      'no property',
      { a: { type: 'color', selector: 'a' } },
      ['styles.add.a.property: is missing: name the CSS property that the value is for, or give a class'],
    ],
    [
      'a selector that ends the rule',
      { a: { ...color, selector: 'a{}b' } },
      ['styles.add.a.selector: must not contain "{"'],
    ],
    [
      'a selector without its parent',
      { a: { ...color, selector: '&.x' } },
      ['styles.add.a.selector: there is nothing that "&" could stand for'],
    ],
    [
      'a media query with its keyword',
      { a: { ...color, selector: 'a', mediaQuery: '@media print' } },
      ['styles.add.a.mediaQuery: leave out "@media"'],
    ],
    [
      'two media queries',
      {
        a: {
          type: 'object',
          selector: 'a',
          mediaQuery: 'print',
          fields: { add: { b: { ...color, mediaQuery: 'screen' } } },
        },
      },
      ['styles.add.a.fields.add.b.mediaQuery: the object has a media query already'],
    ],
  ])('of a site: %s', (_, add, expected) => {
    expect(ofSite(add)).toEqual(expected)
  })

  it.each<[string, object, string]>([
    ['an unknown preset', { a: 'paddin' }, 'styles.add.a.preset: "paddin" is not a preset; did you mean "padding"?'],
    ['no type', { a: { property: 'color' } }, 'styles.add.a.type: is missing: give a type, or a preset'],
    ['an empty property', { a: { type: 'color', property: '' } }, 'styles.add.a.property: must not be empty'],
    ['an empty list', { a: { type: 'color', property: [] } }, 'styles.add.a.property: must not be empty'],
    [
      'an empty text in a list',
      { a: { type: 'color', property: ['color', ''] } },
      'styles.add.a.property.1: must not be empty',
    ],
    [
      'a side that CSS does not have',
      { a: { type: 'box', property: 'inset-%key%' } },
      'styles.add.a.property: CSS has no property "inset-top"',
    ],
    ['an empty class', { a: { type: 'boolean', class: '' } }, 'styles.add.a.class: must not be empty'],
    [
      'an empty media query',
      { a: { type: 'color', property: 'color', mediaQuery: '' } },
      'styles.add.a.mediaQuery: must not be empty',
    ],
    [
      'what is invisible',
      { a: { type: 'color', property: 'color', selector: 'a\u0007' } },
      'styles.add.a.selector: must not contain "U+0007"',
    ],
    [
      'a unit of classes',
      { a: { type: 'select', choices: ['x'], class: true, unit: 'px' } },
      'styles.add.a.unit: classes have no unit',
    ],
    [
      'a class that is true',
      { a: { type: 'select', choices: [{ value: true, label: 'x' }], class: true } },
      'styles.add.a.choices: "true" is not a class',
    ],
    [
      'a template of a background',
      { a: { preset: 'background', valueTemplate: '%color%' } },
      'styles.add.a.valueTemplate: a background has no template',
    ],
    [
      'an object without fields',
      { a: { type: 'object', fields: { add: {} } } },
      'styles.add.a.fields: an object needs fields: { add: { … } }',
    ],
    [
      'groups in an object',
      { a: { type: 'object', fields: { add: { c: { type: 'color', property: 'color' } }, group: {} } } },
      'styles.add.a.fields.group: the fields of an object have no groups',
    ],
    [
      'another type',
      { a: { type: 'area', widgets: {} } },
      'styles.add.a.type: "area" is not a type of style fields, which are box, color, range, string, select, object, boolean, checkboxes',
    ],
    [
      'a relationship',
      { _a: { type: 'relationship', withType: '@cms/image' } },
      'styles.add._a.type: only presets can have a relationship',
    ],
    [
      'both',
      { a: { type: 'select', choices: ['x'], property: 'color', class: true } },
      'styles.add.a.class: give either "class" or "property", not both',
    ],
    [
      'classes of a colour',
      { a: { type: 'color', class: true } },
      'styles.add.a.class: true is for select and checkboxes; give a property',
    ],
    [
      'classes of a boolean',
      { a: { type: 'boolean', class: true } },
      'styles.add.a.class: true is for select and checkboxes; give the name of the class',
    ],
    [
      'a name for classes',
      { a: { type: 'select', choices: ['x'], class: 'y' } },
      'styles.add.a.class: the name of a class is for booleans; of select and checkboxes the values are classes: true',
    ],
    ['no class', { a: { type: 'boolean', class: 'a"b' } }, 'styles.add.a.class: "a"b" is not a class'],
    [
      'a choice that is no class',
      { a: { type: 'select', choices: ['x<y'], class: true } },
      'styles.add.a.choices: "x<y" is not a class',
    ],
    [
      'a choice that ends the declaration',
      { a: { type: 'select', choices: ['red;x:y'], property: 'color' } },
      'styles.add.a.choices: "red;x:y" must not contain ";"',
    ],
    [
      'a property of a boolean',
      { a: { type: 'boolean', property: 'color' } },
      'styles.add.a.property: a boolean has no value for a property; give it a class',
    ],
    [
      'no property',
      { a: { type: 'color', property: 'color:red;x' } },
      'styles.add.a.property: "color:red;x" is not a CSS property: "color", "--accent"',
    ],
    [
      'sides of what has none',
      { a: { type: 'color', property: 'border-%key%-color' } },
      'styles.add.a.property: only a box has sides for "%key%"',
    ],
    [
      'sides twice',
      { a: { type: 'box', property: '%key%-%key%' } },
      'styles.add.a.property: "%key%" can stand there once',
    ],
    [
      'no unit',
      { a: { type: 'range', min: 0, max: 1, property: 'width', unit: 'px;' } },
      'styles.add.a.unit: "px;" is not a unit of CSS: "px", "%", "rem"',
    ],
    ['a unit of a colour', { a: { ...color, unit: 'px' } }, 'styles.add.a.unit: values of this type have no unit'],
    [
      'a default that is no CSS',
      { a: { type: 'string', property: 'font-family', def: 'a}b' } },
      'styles.add.a.def: This is not a CSS value: it must not contain "}".',
    ],
    ['an unknown option', { a: { ...color, unti: 'px' } }, 'styles.add.a.unti: unknown option'],
    [
      'a template without its value',
      { a: { ...color, valueTemplate: 'red' } },
      'styles.add.a.valueTemplate: needs a place for the value: %VALUE%',
    ],
    [
      'a template of others',
      { a: { ...color, valueTemplate: '%b%' } },
      'styles.add.a.valueTemplate: there is no value for %b%; it can hold %VALUE%',
    ],
    [
      'a marker of presets',
      { a: { ...color, layoutGapDefault: true } },
      'styles.add.a.layoutGapDefault: only presets have this option',
    ],
    [
      'a value that not all may see',
      { a: { ...color, viewPermission: 'admin' } },
      'styles.add.a.viewPermission: everybody sees what a style makes; editPermission says who may change it',
    ],
    [
      'another type for a preset',
      { a: { preset: 'width', type: 'box' } },
      'styles.add.a.type: the preset is of the type "range"; leave this out',
    ],
    ['a name that is taken', { metaType: color }, 'styles.add.metaType: this name is reserved; choose another one'],
  ])('of a widget: %s', (_, add, expected) => {
    expect(ofWidget(add)).toEqual([expected])
  })

  it.each([
    '"%VALUE%"',
    'url(%VALUE%)',
    '%VALUE%(1px)',
    'a%VALUE%',
    '#%VALUE%',
    '-%VALUE%',
    '%VALUE%%VALUE%',
    '%VALUE%pxx',
    '%VALUE%; color: red',
    '%VALUE%}',
    '/*%VALUE%*/',
  ])('the template %s, in which values could join with what is around them', (valueTemplate) => {
    expect(ofWidget({ a: { type: 'string', property: 'color', valueTemplate } })).toHaveLength(1)
  })

  it('inside of objects: neither objects nor presets', () => {
    expect(inObject({ b: { type: 'object', fields: { add: { c: color } } } })).toEqual([
      'styles.add.o.fields.add.b.type: objects cannot be nested; declare this one outside the other',
    ])
    const preset =
      'styles.add.o.fields.add.b: presets cannot be used inside objects; declare the preset outside the object'
    expect(inObject({ b: 'padding' })).toEqual([preset])
    expect(inObject({ b: { preset: 'padding' } })).toEqual([preset])
  })

  it('of objects with templates and without', () => {
    const fields = { add: { x: { type: 'range', min: 0, max: 9 }, on: { type: 'boolean' } } }
    const object = { type: 'object', fields }
    expect(ofWidget({ o: object })).toEqual([
      'styles.add.o.fields.add.x.property: is missing: name the CSS property that the value is for, or give a class',
    ])
    expect(ofWidget({ o: { ...object, property: 'width', valueTemplate: '%x%px' } })).toEqual([])
    expect(ofWidget({ o: { ...object, property: 'width', valueTemplate: '%on%' } })).toEqual([
      'styles.add.o.valueTemplate: there is no value for %on%; it can hold %x%',
    ])
    expect(ofWidget({ o: { ...object, property: 'width' } })).toContain(
      'styles.add.o.property: an object with a property needs a valueTemplate, such as "%x%px %y%px"',
    )
  })
})

describe('§2.8 groups', () => {
  const add = { a: { ...color, selector: 'a' }, b: 'padding' }

  it('are tabs with sections, each field in one', () => {
    const group = { looks: { label: 'Look', fields: ['a'], group: { innerSpace: { fields: ['b'] } } } }
    expect(siteStyles({ add, group })).toMatchObject({
      mistakes: [],
      styles: {
        fields: {
          groups: [
            {
              name: 'looks',
              label: 'Look',
              fields: ['a'],
              groups: [{ name: 'innerSpace', label: 'Inner space', fields: ['b'], groups: [] }],
            },
          ],
        },
      },
    })
  })

  it('name fields, once, in two levels', () => {
    const deep = { fields: ['c'], group: { two: { fields: ['a', 'a'], group: { three: { fields: [] } } } } }
    expect(siteStyles({ add, group: { one: deep } }).mistakes).toEqual([
      'styles.group.one.fields: "c" is not a style field',
      'styles.group.one.group.two.fields: "a" is in the group "two" already',
      'styles.group.one.group.two.group: a group is a tab, a group in it a section; sections have no groups',
    ])
  })

  it('are not for widgets', () => {
    expect(widgetStyles({ add: { a: color }, group: { all: { fields: ['a'] } } }).mistakes).toEqual([
      'styles.group: only styles of the site have groups; those of a widget are in one tab',
    ])
  })

  it('§4.7 may be declared in the older form, but not in both', () => {
    const fields = { add, group: { all: { fields: ['a'] } } }
    expect(siteStyles({ fields })).toMatchObject({ mistakes: [], styles: { fields: { groups: [{ name: 'all' }] } } })
    expect(siteStyles({ add: { c: 'margin' }, fields }).mistakes).toEqual([
      'styles.fields: "fields" is the older form of "add" and "group"; use one of both forms',
    ])
  })
})

describe('§2.8 conditions of style fields', () => {
  const otherFields = widgetStyles({ add: { tall: { type: 'boolean', class: 'x' } } }).styles.fields
  const add = { t: { type: 'color', property: 'color', if: { tall: true } } }

  it('may name the fields of the widget itself', () => {
    const { styles, mistakes } = widgetStyles({ add }, {}, otherFields)
    expect(mistakes).toEqual([])
    expect(toCss(styles, { t: '#123456', tall: true }, { rootSelector: '#w' }).inline).toBe('color: #123456;')
    expect(toCss(styles, { t: '#123456', tall: false }, { rootSelector: '#w' }).inline).toBe('')
    expect(widgetStyles({ add }).mistakes).toEqual(['styles.add.t.if: "tall" is not a sibling of this field'])
  })
})

describe('§2.9 presets', () => {
  it('have the default colours of the site', () => {
    const one = siteStyles({ add: { b: { preset: 'border', selector: 'a' } }, defaultStyles: { borderColor: '#abc' } })
    expect(cssOf(one, { b: { active: true } }).css).toContain('border-color: #abc;')
    const named = siteStyles({
      add: { b: { preset: 'border', selector: 'a' } },
      defaultStyles: { borderColor: 'Navy' },
    })
    expect(cssOf(named, { b: { active: true } }).css).toContain('border-color: Navy;')
    expect(siteStyles({ add: {}, defaultStyles: { borderColor: 'papaya', shadowColor: '};x' } }).mistakes).toEqual([
      'styles.defaultStyles.borderColor: "papaya" is not a colour: write #rrggbb, rgb(…), hsl(…), or the name of a colour',
      'styles.defaultStyles.shadowColor: "};x" is not a colour: write #rrggbb, rgb(…), hsl(…), or the name of a colour',
    ])
  })

  it('can be overridden where they are used, and by presets of the site', () => {
    const registerPresets = (presets: Presets) => {
      const border = presets.getPreset('border')
      presets.setPreset('thick', { type: 'range', min: 2, max: 9, def: 3, property: 'border-width', unit: 'px' })
      if (border) presets.setPreset('border', { ...border, label: 'Edge' })
    }
    const one = widgetStyles({ add: { t: { preset: 'thick', min: 1, def: 5 }, b: 'border' } }, { registerPresets })
    expect(cssOf(one, {}, { rootSelector: '#w' }).inline).toBe('border-width: 5px;')
    expect(one.styles.fields.byName.get('b')?.label).toBe('Edge')
  })

  it.each(['orange', 'Black', 'lightgray', 'RebeccaPurple', 'transparent'])('have the colour %s as default', (name) => {
    const one = siteStyles({ add: { b: { preset: 'border', selector: 'a' } }, defaultStyles: { borderColor: name } })
    expect(one.mistakes).toEqual([])
    expect(cssOf(one, { b: { active: true } }).css).toContain(`border-color: ${name};`)
  })

  it('have the labels of the fields that use them', () => {
    const { fields } = widgetStyles({
      add: { border: 'border', cardBorder: { preset: 'border', label: 'Edge' }, heroBorder: 'border' },
    }).styles
    expect(fields.list.map(({ label }) => label)).toEqual(['Border', 'Edge', 'Hero border'])
  })

  it('of a site are checked where nothing uses them', () => {
    const set = (preset: object) => ({ registerPresets: (presets: Presets) => presets.setPreset('x', preset as never) })
    const mistakesOf = (preset: object) => widgetStyles({ add: {} }, set(preset)).mistakes
    expect(mistakesOf({ type: 'range', unit: 'px' })).toEqual([])
    expect(mistakesOf({ type: 'nosuch' })).toEqual([
      'styles.registerPresets: the preset "x": type: "nosuch" is not a type of style fields, which are box, color, range, string, select, object, boolean, checkboxes',
    ])
    expect(mistakesOf({ type: 'color', property: 'color', customType: 'background' })).toEqual([
      'styles.registerPresets: the preset "x": customType: is for objects with the fields of the preset background',
    ])
    expect(mistakesOf({ type: 'select', choices: () => [] })).toEqual([
      'styles.registerPresets: The preset "x" must be plain values, without functions.',
    ])
    expect(siteStyles(set({ type: 'color', property: 'color', viewPermission: 'admin' })).mistakes).toEqual([
      'styles.registerPresets: the preset "x": viewPermission: everybody sees what a style makes; editPermission says who may change it',
    ])
  })

  it('can be changed only while they are registered; what is read of them are copies', () => {
    const presets = compilePresets(SITE_STYLES.parse({}), () => {})
    expect(() => presets.setPreset('x', { type: 'color' })).toThrow(/only inside registerPresets/)
    expect([presets.hasPreset('padding'), presets.hasPreset('x'), presets.getPreset('x')]).toEqual([
      true,
      false,
      undefined,
    ])
    Object.assign(presets.getPreset('padding') ?? {}, { unit: 'em' })
    expect(presets.getPreset('padding')).toMatchObject({ type: 'box', unit: 'px' })
  })

  it('are checked like other styles, and a failure to register them is a mistake of the site', () => {
    const later = { registerPresets: async (presets: Presets) => presets.setPreset('x', { type: 'color' }) }
    expect(widgetStyles({ add: {} }, later).mistakes).toEqual([
      'styles.registerPresets: must not be asynchronous: presets are registered before the site is compiled',
    ])
    const set = (preset: object) => ({ registerPresets: (presets: Presets) => presets.setPreset('x', preset as never) })
    expect(widgetStyles({ add: { a: 'x' } }, set({ type: 'color', property: 'a;b' })).mistakes).toHaveLength(1)
    expect(widgetStyles({ add: {} }, set({})).mistakes).toEqual([
      'styles.registerPresets: The preset "x" must be an object with a type.',
    ])
    expect(widgetStyles({ add: {} }, set({ type: 'box', preset: 'padding' })).mistakes).toHaveLength(1)
  })
})
