import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { imagePiece } from '../../../test/media.ts'
import { describeService } from '../../../test/service.ts'
import { FRONT_KEY, visit } from '../../../test/visits.ts'
import { html } from '../../base/html.ts'
import { compileSite } from '../../model/compile/site.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page, widget } from '../../model/declared/content-type.ts'
import { prepareWidgetStyles } from './prepare-styles.ts'
import { getWidgetAttributes } from './widget-styles.ts'

const templates = await mkdtemp(join(tmpdir(), 'quire-widget-styles-'))
await writeFile(
  join(templates, 'file.njk'),
  `{% set own = styles.render(data.widget) %}{{ styles.elements(own) }}
<aside {{ styles.attributes(own, { class: 'note', style: 'top: 1px', 'data-x': '<' }) }}>{{ data.widget.text }}</aside>
<i>{{ styles.attributes(own, { class: 'note' }, { asObject: true }).class }}</i>`,
)
afterAll(() => rm(templates, { recursive: true }))

const fields = { add: { text: { type: 'string' } } } as const
const styles = {
  add: {
    align: 'alignment',
    padding: 'padding',
    tint: { type: 'color', selector: 'h3', property: 'color' },
  },
} as const

const wrapped = widget('wrapped', { fields, styles, render: ({ text }) => html`<h3>${text}</h3>` })
const own = widget('own', {
  fields,
  styles,
  stylesWrapper: false,
  render: (given, scene) => {
    const prepared = scene.styles.render(given)
    const attributes = scene.styles.attributes(prepared, { class: 'card', 'data-x': 1 })
    return html`${scene.styles.elements(prepared)}<article${attributes}>${given.text}</article>`
  },
})
const file = widget('file', { fields, styles, stylesWrapper: false, template: 'file.njk' })
const pictured = widget('pictured', { styles: { add: { background: 'background' } }, render: () => html`<hr>` })
const framed = widget('framed', {
  fields,
  styles: { add: { tint: { type: 'color', property: 'color', if: { $or: [{ text: 'red' }] } } } },
  render: () => html`<hr>`,
})
const bare = widget('bare', { fields, render: ({ text }) => html`<b>${text}</b>` })

const main = { type: 'area', widgets: { wrapped: {}, own: {}, file: {}, pictured: {}, framed: {}, bare: {} } } as const
const site = defineSite({
  types: [page('@cms/home-page', { fields: { add: { main } } })],
  widgets: [wrapped, own, file, pictured, framed, bare],
  templates,
})

const box = { top: 8, right: 8, bottom: 8, left: 8 }

it('§4.7 prepareWidgetStyles makes styles of the current values, whatever has changed them', () => {
  const compiled = compileSite(site)
  const given = { _id: 'w1', type: 'wrapped', align: 'apos-left', padding: { ...box } }
  const styleOf = (widget: object) => prepareWidgetStyles(compiled, widget).inline
  expect(styleOf(given)).toBe('padding: 8px;')
  given.padding.top = 1
  expect(styleOf(given)).toContain('padding-top: 1px;')
  expect(styleOf({ ...given, padding: { ...box } })).toBe('padding: 8px;')
  expect(styleOf({ ...given, padding: JSON.stringify(box) })).toBe('')
  expect(styleOf({ ...given, type: 'pictured' })).toBe('')
  const framed = { _id: 'w1', type: 'framed', tint: '#ff0000' }
  expect(styleOf({ ...framed, text: 'red' })).toBe('color: #ff0000;')
  expect(styleOf({ ...framed, text: 'none' })).toBe('')
  expect(styleOf({ ...given, padding: { ...box } })).toBe('padding: 8px;')
})

it('§4.7 getWidgetAttributes joins lists, and refuses what has no text', () => {
  const styles = prepareWidgetStyles(compileSite(site), {
    _id: 'w1',
    type: 'wrapped',
    align: 'apos-left',
    padding: box,
  })
  const own = { class: ['card', false, 'wide'], style: ['top: 1px', 'left: 2px;'], rel: ['next', 'nofollow'] }
  const expected = { class: 'card wide apos-left', style: 'top: 1px;left: 2px;padding: 8px;', rel: 'next nofollow' }
  expect(getWidgetAttributes(styles, own, { asObject: true })).toMatchObject(expected)
  expect(() => getWidgetAttributes(styles, { class: { card: true } as never })).toThrow('must be text, or a list')
})

describeService('§4.7 widget styles', { site, frontKey: FRONT_KEY, isLong: true }, (service) => {
  const home = async (items: object[]) => {
    const { body } = await service.editor.get('@cms/page')
    const answer = await service.editor.patch(`@cms/page/${body._id}`, { main: { metaType: 'area', items } })
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const area = (text: string) => /<main[^>]*>([\s\S]*)<\/main>/.exec(text)?.[1] ?? ''

  it('§4.7 a widget is rendered inside an element that has its styles', async () => {
    await home([{ type: 'wrapped', _id: 'w1', text: 'Hi', align: 'apos-center', padding: box, tint: '#ff0000' }])
    const rendered = area((await visit(service, '/')).text)
    const [, id] = /<div id="(s[0-9a-f]+)"/.exec(rendered) ?? []
    expect(rendered).toContain(
      `<style data-apos-widget-style-for="w1" data-apos-widget-style-id="${id}">#${id}{padding: 8px;}#${id} h3{color: #ff0000;}</style>` +
        `<div id="${id}" data-apos-widget-style-wrapper-for="w1" data-apos-widget-style-classes="apos-center" class="apos-center"><h3>Hi</h3></div>`,
    )
    expect(area((await visit(service, '/')).text)).toBe(rendered)
  })

  it('§4.7 a widget type without styles has no wrapper, one without values no style element', async () => {
    await home([
      { type: 'bare', text: 'Bare' },
      { type: 'wrapped', _id: 'w1', text: 'Hi' },
    ])
    const rendered = area((await visit(service, '/')).text)
    expect(rendered).toContain('<b>Bare</b><div id="')
    expect(rendered).not.toContain('<style data-apos')
  })

  it('§4.7 templates place the styles where they want them, and merge their own attributes', async () => {
    const values = { text: 'A', align: 'apos-left', padding: box, tint: '#00ff00' }
    await home([
      { ...values, type: 'own', _id: 'o1' },
      { ...values, type: 'file', _id: 'f1', tint: null },
    ])
    const rendered = area((await visit(service, '/')).text)
    const ids = 'data-apos-widget-style-classes="apos-left"'
    expect(rendered).toMatch(
      /<style data-apos-widget-style-for="o1"[^>]*>#s[0-9a-f]+\{padding: 8px;\}#s[0-9a-f]+ h3\{color: #00ff00;\}<\/style><article id="s/,
    )
    expect(rendered).toContain(`${ids} class="card apos-left" data-x="1">A</article>`)
    expect(rendered).toContain(`${ids} class="note apos-left" style="top: 1px;padding: 8px;" data-x="&lt;">A</aside>`)
    expect(rendered).toContain('<i>note apos-left</i>')
    expect(rendered).not.toContain('</article></div>')
  })

  it('§4.7 an external front end gets the styles with the options of the widget', async () => {
    await home([
      { type: 'wrapped', _id: 'w1', align: 'apos-right', padding: box, tint: '#0000ff' },
      { type: 'own', _id: 'o1', padding: box },
      { type: 'bare', _id: 'b1' },
    ])
    const { data } = await visit(service, '/', { front: true })
    const [first, second, third] = data.page.main.items
    const { id } = first._options.aposStylesAttributes
    expect(first._options).toEqual({
      aposStylesWrapper: true,
      aposStylesElements: `<style data-apos-widget-style-for="w1" data-apos-widget-style-id="${id}">#${id}{padding: 8px;}#${id} h3{color: #0000ff;}</style>`,
      aposStylesAttributes: {
        id,
        class: 'apos-right',
        'data-apos-widget-style-wrapper-for': 'w1',
        'data-apos-widget-style-classes': 'apos-right',
      },
    })
    expect(second._options).toMatchObject({
      aposStylesWrapper: false,
      aposStylesElements: '',
      aposStylesAttributes: { style: 'padding: 8px;' },
    })
    expect(third._options).toEqual({ aposStylesWrapper: false, aposStylesElements: '', aposStylesAttributes: {} })
  })

  it('§4.7 render-areas renders the same as a page', async () => {
    const saved = await home([{ type: 'wrapped', _id: 'w1', text: 'Hi', padding: box }])
    const { body } = await service.editor.get(`@cms/page/${saved._id}`, 'render-areas=true')
    expect(area((await visit(service, '/')).text)).toContain(body.main._rendered)
    expect(body.main._rendered).toContain('style="padding: 8px;"')
  })

  it('§4.7 a widget that was rendered before has the styles of its values and images of now', async () => {
    const image = await imagePiece(service)
    const render = async (values: object) => {
      await home([{ type: 'pictured', _id: 'p1', background: { enabled: true, ...values } }])
      return area((await visit(service, '/')).text)
    }
    const withImage = { backgroundType: 'image', _image: [image] }
    expect(await render({ color: '#112233' })).toContain('background-color: #112233;')
    expect(await render({ color: '#112234' })).toContain('background-color: #112234;')
    expect(await render(withImage)).toContain(image.attachment._urls.max)
    expect(await render({ ...withImage, _image: [{ ...image, _fields: { x: 10, y: 20 } }] })).toContain('10% 20%')
    await service.admin.patch(`@cms/image/${image._id}`, { visibility: 'loginRequired' })
    expect(area((await visit(service, '/')).text)).not.toContain(image.attachment._urls.max)
    expect(area((await visit(service, '/', { role: 'editor' })).text)).toContain(image.attachment._urls.max)
  })

  it('§4.7 a wrong value is invalid with its path', async () => {
    const { body } = await service.editor.get('@cms/page')
    const items = [{ type: 'wrapped', _id: 'w1', tint: 'red;} body{display:none' }]
    const answer = await service.editor.patch(`@cms/page/${body._id}`, { main: { metaType: 'area', items } })
    expect(answer).toMatchObject({ status: 400, body: { data: { errors: [{ path: 'main.w1.tint' }] } } })
  })
})
