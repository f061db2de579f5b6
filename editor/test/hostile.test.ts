import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { defineSite, page as pageType, piece, widget } from '../../cms/src/index.ts'
import { jpeg, upload } from '../../cms/test/media.ts'
import { describeEditor } from './editor.ts'

const RUN = 'globalThis.ran=1'
const MARKUP = `"><img src=x onerror="${RUN}"><script>${RUN}</script><svg onload=${RUN}>`
const URLS = [`javascript:${RUN}`, `JaVaScRiPt:${RUN}`, `data:text/html,<script>${RUN}</script>`]
const HTML = `<p>${MARKUP}<a href="javascript:${RUN}" onclick="${RUN}" target="x">link</a><a href="//evil.example" style="position:fixed;inset:0">b</a></p><iframe srcdoc="<script>${RUN}</script>"></iframe><math><mi xlink:href="javascript:${RUN}">x</mi></math><meta http-equiv="refresh" content="0;url=javascript:${RUN}">`

const site = defineSite({
  widgets: [
    widget('card', {
      label: MARKUP,
      description: MARKUP,
      fields: { add: { words: { type: 'string', label: MARKUP, help: MARKUP } } },
    }),
  ],
  types: [
    piece('note', {
      label: `Note ${MARKUP}`,
      pluralLabel: `Notes ${MARKUP}`,
      description: MARKUP,
      icon: MARKUP,
      fields: {
        add: {
          text: { type: 'string', label: `Text ${MARKUP}`, help: MARKUP, placeholder: MARKUP },
          web: { type: 'url' },
          mail: { type: 'email' },
          choice: { type: 'select', choices: [{ value: 'a', label: MARKUP }] },
          tint: { type: 'color' },
          film: { type: 'oembed' },
          area: { type: 'area', label: MARKUP, widgets: { card: {}, '@cms/rich-text': {}, '@cms/html': {} } },
          rows: { type: 'array', titleField: 'word', fields: { add: { word: { type: 'string' } } } },
          _notes: { type: 'relationship', withType: 'note' },
          _pictures: { type: 'relationship', withType: '@cms/image' },
        },
        group: { first: { label: MARKUP, fields: ['title', 'text', 'web'] } },
      },
    }),
    pageType('leaf', { label: MARKUP }),
  ],
})

describeEditor('editor: hostile content', { site }, ({ service, desk, complaints }) => {
  let id = ''
  beforeAll(async () => {
    const { contributor } = service
    const made = async (type: string, body: object) => {
      const answer = await contributor.post(type, { ...body, _incomplete: true }, 'aposMode=draft')
      expect(answer).toMatchObject({ status: 200 })
      return answer.body
    }
    const file = (await upload(service, 'contributor', await jpeg(), `${MARKUP.replaceAll('/', '')}.jpg`)).body
    const image = await made('@cms/image', {
      title: MARKUP,
      alt: MARKUP,
      credit: MARKUP,
      creditUrl: '',
      attachment: file,
    })
    const other = await made('note', { title: MARKUP })
    const values = {
      title: MARKUP,
      slug: `own ${MARKUP}`,
      text: MARKUP,
      choice: 'a',
      rows: [{ word: MARKUP }],
      area: {
        items: [
          { type: 'card', words: MARKUP },
          { type: '@cms/rich-text', content: HTML },
          { type: '@cms/html', code: HTML },
        ],
      },
      _notes: [other._id],
      _pictures: [image._id],
    }
    const note = await made('note', { title: 'Plain' })
    id = note.aposDocId
    await service.editor.post(`note/${id}/publish`)
    const saved = await contributor.patch(`note/${id}:en:draft`, { ...values, _autosave: true })
    expect(saved).toMatchObject({ status: 200 })
    for (const url of URLS)
      for (const change of [{ web: url }, { film: { url, title: MARKUP, thumbnail: url } }])
        await contributor.patch(`note/${id}:en:draft`, { ...change, _autosave: true })
    await made('@cms/page', {
      type: 'leaf',
      title: MARKUP,
      slug: `/${MARKUP}`,
      _targetId: '_home',
      _position: 'lastChild',
    })
  })

  /** Nothing of the content has run, and no address of the page runs anything. */
  const expectHarmless = async (page: Page, where: string) => {
    await page.waitForTimeout(200)
    const found = await page.evaluate(() => ({
      ran: 'ran' in globalThis,
      addresses: [...document.querySelectorAll('[href], [src], [action]')].flatMap((one) =>
        ['href', 'src', 'action'].flatMap((name) => {
          const url = one.getAttribute(name) ?? ''
          return /^\s*(?:javascript|data:text|vbscript)/i.test(url) ? [url] : []
        }),
      ),
      handlers: [...document.querySelectorAll('*')].flatMap((one) =>
        [...one.attributes].filter(({ name }) => /^on/.test(name)).map(({ name }) => name),
      ),
    }))
    expect({ where, ...found }).toEqual({ where, ran: false, addresses: [], handlers: [] })
    expect({ where, complaints: [...complaints] }).toEqual({ where, complaints: [] })
  }

  test('§11 nothing of what contributors write runs in the editor, or leads to what would', async () => {
    const { page, open } = await desk('admin')
    await expectHarmless(page, 'Home')
    for (const path of [
      '/content/note',
      '/content/note?search=onerror',
      '/media/images',
      '/media/files',
      '/pages',
      `/content/note/${id}`,
    ]) {
      await open(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expectHarmless(page, path)
    }
    for (const tab of [1, 0]) {
      await page.getByRole('tab').nth(tab).click()
      for (const box of await page.getByRole('textbox').all()) if (await box.isVisible()) await box.click()
      await expectHarmless(page, `the controls of tab ${tab}`)
    }
    for (const name of [/^Browse/, /^Add block/]) {
      await page.getByRole('button', { name }).first().click()
      await expectHarmless(page, String(name))
      await page.keyboard.press('Escape')
    }
    await page.getByRole('button', { name: 'See changes' }).click()
    await page.getByRole('dialog', { name: 'Changes' }).getByRole('listitem').first().waitFor()
    await expectHarmless(page, 'Changes')
  })
})
