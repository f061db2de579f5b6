import { describe, expect, it } from 'vitest'
import { testDatabases } from '../../../test/databases.ts'
import { imagePiece } from '../../../test/media.ts'
import { callerOf, describeService, type Service, startService } from '../../../test/service.ts'
import { FRONT_KEY, visit } from '../../../test/visits.ts'
import { createApp } from '../../app.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page } from '../../model/declared/content-type.ts'

const styles = {
  add: {
    bodyColor: { type: 'color', selector: 'body', property: 'color', def: '#112233' },
    headSize: { type: 'range', min: 10, max: 80, selector: ['h1', 'h2'], property: 'font-size', unit: 'px', def: 32 },
    theme: {
      type: 'select',
      class: true,
      choices: [
        { value: 'theme-light', label: 'Light' },
        { value: 'theme-dark', label: 'Dark' },
      ],
      def: 'theme-light',
    },
    heroBackground: { preset: 'background', selector: '.hero' },
    cardBorder: { preset: 'border', selector: '.card' },
  },
} as const

const locales = {
  en: { label: 'English' },
  fr: { label: 'French', prefix: '/fr' },
  it: { label: 'Italian', prefix: '/it', private: true },
} as const

const site = defineSite({ static: true, locales, styles })

const DEFAULTS = 'body{color: #112233;}h1{font-size: 32px;}h2{font-size: 32px;}'
const EDITOR = { key: 'key-of-this-editor', role: 'editor', name: 'Editor' } as const
const STYLESHEET = '/api/v1/@cms/styles/stylesheet'

/** The CSS of a locale and mode, as its reader gets it. */
async function css(service: Service, asked = 'en/published', role?: 'contributor'): Promise<string> {
  const { status, text } = await visit(service, `${STYLESHEET}/locale/${asked}`, role ? { role } : {})
  expect(status).toBe(200)
  return text
}

describeService('§4.7 global styles', { site, frontKey: FRONT_KEY, isLong: true }, (service) => {
  const one = async (locale = 'en', mode = 'draft') => {
    const { body } = await service.admin.get('@cms/styles', `aposLocale=${locale}:${mode}`)
    return String(body.results[0]._id)
  }
  const save = async (values: object, locale = 'en') => {
    const answer = await service.editor.patch(`@cms/styles/${await one(locale)}`, values)
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const publish = async (values: object, locale = 'en') => {
    await save(values, locale)
    const answer = await service.editor.post(`@cms/styles/${await one(locale)}/publish`)
    expect(answer).toMatchObject({ status: 200 })
  }
  const global = async (locale = 'en', mode = 'published') => {
    const { body } = await service.admin.get('@cms/global', `aposLocale=${locale}:${mode}`)
    return body.results[0]
  }

  const render = async (body: unknown, key = 'key-guest', sent = {}) => {
    const response = await fetch(`${service.address}/api/v1/@cms/styles/render`, {
      method: 'POST',
      headers: {
        ...sent,
        'content-type': 'application/json',
        ...(key === '' ? {} : { authorization: `ApiKey ${key}` }),
      },
      body: JSON.stringify(body),
    })
    const { status, headers } = response
    const [type, revision] = ['content-type', 'quire-revision'].map((name) => headers.get(name))
    return { status, type, revision, text: await response.text() }
  }

  it('§4.7 the stylesheet of a new site is made of the defaults', async () => {
    expect(await css(service)).toBe(DEFAULTS)
    expect(await css(service, 'en/draft', 'contributor')).toBe(DEFAULTS)
  })

  it('§2.9 the defaults of presets are answered as declared, and named colours are taken', async () => {
    const { body } = await service.admin.get('@cms/styles')
    expect(body.results[0].cardBorder.color).toBe('black')
    await publish({ cardBorder: { active: true, color: 'RebeccaPurple' } })
    expect(await css(service)).toContain('border-color: RebeccaPurple;')
    const refused = await service.editor.patch(`@cms/styles/${await one()}`, { cardBorder: { color: 'papaya' } })
    expect(refused).toMatchObject({ status: 400, body: { data: { errors: [{ path: 'cardBorder.color' }] } } })
    await publish({ cardBorder: { active: false, color: 'black' } })
  })

  it('§4.7 only editors and admins edit the styles; anonymous callers do not find them', async () => {
    expect(await service.anonymous.get('@cms/styles')).toMatchObject({ status: 404 })
    expect(await service.contributor.patch(`@cms/styles/${await one()}`, { headSize: 50 })).toMatchObject({
      status: 403,
    })
    expect(await service.editor.patch(`@cms/styles/${await one()}`, { headSize: 999 })).toMatchObject({
      status: 400,
      body: { name: 'invalid', data: { errors: [{ path: 'headSize' }] } },
    })
    expect(await service.admin.post('@cms/styles', {})).toMatchObject({ status: 400 })
    expect(await service.admin.delete(`@cms/styles/${await one()}`)).toMatchObject({ status: 400 })
  })

  it('§4.7 saving changes the draft, publishing the stylesheet of all', async () => {
    await save({ headSize: 40 })
    expect(await css(service)).toContain('h1{font-size: 32px;}')
    expect(await css(service, 'en/draft', 'contributor')).toContain('h1{font-size: 40px;}')
    await publish({ bodyColor: '#abcdef' })
    expect(await css(service)).toBe('body{color: #abcdef;}h1{font-size: 40px;}h2{font-size: 40px;}')
    expect(await css(service, 'fr/published')).toBe(DEFAULTS)
  })

  it('§4.7 reverting, restoring a version, and localizing change it, too', async () => {
    await publish({ headSize: 20 })
    const { body: versions } = await service.admin.get('@cms/document-versions', `docId=${await one()}`)
    await publish({ headSize: 60 })
    await save({ headSize: 70 })
    await service.editor.post(`@cms/styles/${await one()}/revert-draft-to-published`)
    expect(await css(service, 'en/draft', 'contributor')).toContain('h1{font-size: 60px;}')
    await service.editor.post(`@cms/styles/${await one()}/revert-published-to-previous`)
    expect(await css(service)).toContain('h1{font-size: 20px;}')
    const _restoreVersion = versions.results[0]._id
    const { doc: shown } = (await service.admin.get(`@cms/document-versions/${_restoreVersion}`)).body
    await publish({ headSize: 61 })
    const restored = await service.editor.put(`@cms/styles/${await one()}`, { ...shown, _restoreVersion })
    expect(restored).toMatchObject({ status: 200 })
    expect(await css(service, 'en/draft', 'contributor')).toContain('h1{font-size: 20px;}')
    const localized = await service.editor.post(`@cms/styles/${await one()}/localize`, { toLocale: 'fr', update: true })
    expect(localized).toMatchObject({ status: 200 })
    expect(await css(service, 'fr/draft', 'contributor')).toContain('h1{font-size: 20px;}')
  })

  it('§4.7 the global document tells its stylesheet, which is no content', async () => {
    await publish({ bodyColor: '#010203', theme: 'theme-dark' })
    const before = await global()
    expect(before).toMatchObject({ stylesStylesheet: await css(service), stylesClasses: ['theme-dark'] })
    const versionsBefore = await service.admin.get('@cms/document-versions', `docId=${before._id}`)
    await publish({ bodyColor: '#010204' })
    const after = await global()
    expect(after.stylesStylesheet).toContain('#010204')
    expect(after.stylesStylesheetVersion).not.toBe(before.stylesStylesheetVersion)
    expect(after.updatedAt).toBe(before.updatedAt)
    const versionsAfter = await service.admin.get('@cms/document-versions', `docId=${before._id}`)
    expect(versionsAfter.body).toEqual(versionsBefore.body)
    await publish({ bodyColor: '#010203' })
    expect((await global()).stylesStylesheetVersion).toBe(before.stylesStylesheetVersion)
    expect((await global('en', 'draft')).stylesStylesheet).toBe(before.stylesStylesheet)
  })

  it('§0.8 the tag of the global document follows the stylesheet, and If-Match does not', async () => {
    const read = async () => {
      const { _id } = await global()
      const { headers, data } = await visit(service, `/api/v1/@cms/global/${_id}`, { role: 'editor' })
      return { _id, etag: String(headers.get('etag')), version: data.stylesStylesheetVersion }
    }
    await publish({ bodyColor: '#000001' })
    const before = await read()
    expect(await read()).toEqual(before)
    await publish({ bodyColor: '#000002' })
    const after = await read()
    expect(after.version).not.toBe(before.version)
    expect(after.etag).not.toBe(before.etag)
    const saved = await service.editor.patch(`@cms/global/${before._id}`, { title: 'A' }, '', {
      'if-match': before.etag,
    })
    expect(saved.status).toBe(200)
    expect(saved.headers.get('etag')).toBe((await read()).etag)
    expect(
      await service.editor.patch(`@cms/global/${before._id}`, { title: 'B' }, '', { 'if-match': after.etag }),
    ).toMatchObject({ status: 409 })
    await publish({ bodyColor: '#000001' })
    expect((await visit(service, '/', { front: true })).data.global).toMatchObject({
      stylesStylesheet: await css(service),
      stylesStylesheetVersion: before.version,
    })
  })

  it('§4.7 no body writes what the global document tells of its stylesheet', async () => {
    const before = await global()
    const body = { ...before, stylesStylesheet: 'body{}', stylesClasses: ['x'], stylesStylesheetVersion: 'x' }
    for (const answer of [
      await service.editor.put(`@cms/global/${before._id}`, body),
      await service.editor.patch(`@cms/global/${before._id}`, { title: 'Other', ...{ stylesStylesheet: 'body{}' } }),
    ]) {
      expect(answer).toMatchObject({
        status: 200,
        body: {
          stylesStylesheet: before.stylesStylesheet,
          stylesClasses: before.stylesClasses,
          stylesStylesheetVersion: before.stylesStylesheetVersion,
        },
      })
    }
    const only = await service.admin.get(`@cms/global/${before._id}`, 'project[stylesClasses]=1')
    expect(only.body).toMatchObject({ stylesClasses: before.stylesClasses })
    expect(only.body).not.toHaveProperty('stylesStylesheet')
  })

  it('§4.7 GET stylesheet may be cached for a year, of drafts not at all', async () => {
    const { stylesStylesheetVersion: version } = await global()
    const paths = [
      STYLESHEET,
      `${STYLESHEET}?version=${version}`,
      `${STYLESHEET}/locale/en/published?version=${version}`,
    ]
    for (const path of paths) {
      const { status, headers } = await visit(service, path)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/css; charset=utf-8')
      expect(headers.get('cache-control')).toBe('public, max-age=31557600')
      const again = await visit(service, path, { headers: { 'if-none-match': String(headers.get('etag')) } })
      expect(again.status).toBe(304)
    }
    for (const path of [`${STYLESHEET}?aposLocale=en:draft`, `${STYLESHEET}/locale/en/draft`]) {
      expect((await visit(service, path)).status).toBe(401)
      expect((await visit(service, path, { role: 'guest' })).status).toBe(403)
      const { status, headers } = await visit(service, path, { role: 'contributor' })
      expect({ status, caching: headers.get('cache-control') }).toEqual({ status: 200, caching: 'no-store' })
    }
    const known = await visit(service, STYLESHEET, { role: 'admin' })
    expect(known.headers.get('cache-control')).toBe('public, max-age=31557600')
  })

  it('§4.7 GET stylesheet is kept for a year only in the version that was asked for', async () => {
    const { stylesStylesheetVersion: present } = await global()
    await publish({ bodyColor: '#0a0b0c' })
    const { stylesStylesheetVersion: next } = await global()
    for (const path of [STYLESHEET, `${STYLESHEET}/locale/en/published`]) {
      const cachingOf = async (version: string) =>
        (await visit(service, `${path}?version=${version}`)).headers.get('cache-control')
      expect(await cachingOf(next)).toBe('public, max-age=31557600')
      for (const version of [present, 'abc', '', `${next}x`]) expect(await cachingOf(version)).toBe('public, no-cache')
    }
  })

  it('§4.5 the stylesheet of a private locale is not there for anonymous callers', async () => {
    for (const path of [`${STYLESHEET}?aposLocale=it:published`, `${STYLESHEET}/locale/it/published`]) {
      expect((await visit(service, path)).status).toBe(404)
      expect((await visit(service, path, { role: 'guest' })).status).toBe(200)
      expect((await visit(service, path, { front: true })).status).toBe(200)
    }
    expect((await visit(service, `${STYLESHEET}/locale/xx/published`)).status).toBe(404)
    expect((await visit(service, `${STYLESHEET}/locale/en/other`)).status).toBe(404)
  })

  it('§4.7 POST render answers the CSS of other values, and saves nothing', async () => {
    const before = await css(service, 'en/draft', 'contributor')
    expect(await render({ data: { bodyColor: '#ff0000' } })).toEqual({
      status: 200,
      type: 'text/css; charset=utf-8',
      revision: null,
      text: 'body{color: #ff0000;}h1{font-size: 32px;}h2{font-size: 32px;}',
    })
    const border = await render({ data: { cardBorder: { active: true } } })
    expect(border.text).toContain('.card{border-width: 1px;')
    expect((await render({ data: {} }, '')).status).toBe(401)
    for (const headSize of [40, 41]) {
      const sent = await render({ data: { headSize } }, 'key-guest', { 'idempotency-key': 'one-and-the-same' })
      expect([sent.status, sent.revision]).toEqual([200, null])
      expect(sent.text).toContain(`h1{font-size: ${headSize}px;}`)
    }
    expect((await render({ data: 'x' })).status).toBe(400)
    expect((await render({})).status).toBe(400)
    const wrong = await render({ data: { headSize: 999, theme: 'nosuch', cardBorder: { radius: 'x' } } })
    expect(wrong.status).toBe(400)
    const { errors } = JSON.parse(wrong.text).data
    expect(errors.map(({ path }: { path: string }) => path)).toEqual(['headSize', 'theme', 'cardBorder.radius'])
    expect(await css(service, 'en/draft', 'contributor')).toBe(before)
  })

  it('§4.7 POST preview answers the CSS and the classes of other values, and saves nothing', async () => {
    const before = await css(service, 'en/draft', 'contributor')
    const preview = (data: unknown) => service.guest.post('@cms/styles/preview', { data })
    const values = { bodyColor: '#ff0000', theme: 'theme-dark' }
    expect((await preview(values)).body).toEqual({
      css: (await render({ data: values })).text,
      classes: ['theme-dark'],
    })
    expect(await preview({ headSize: 999 })).toMatchObject({
      status: 400,
      body: { data: { errors: [{ path: 'headSize' }] } },
    })
    expect((await preview('x')).status).toBe(400)
    expect((await service.anonymous.post('@cms/styles/preview', { data: {} })).status).toBe(401)
    expect(await css(service, 'en/draft', 'contributor')).toBe(before)
  })

  it('§4.7 an image of a preview or a save must be one that is there', async () => {
    const image = await imagePiece(service)
    const member = await imagePiece(service, { visibility: 'loginRequired' })
    const gone = await imagePiece(service)
    await service.admin.patch(`@cms/image/${gone._id}`, { archived: true })
    const { body: global } = await service.admin.get('@cms/global')
    const withImage = (_id: string) => ({
      heroBackground: { enabled: true, backgroundType: 'image', _image: [{ _id }] },
    })
    for (const _id of ['nosuch', 'nosuch:en:published', global.results[0]._id]) {
      const invalid = { status: 400, body: { data: { errors: [{ path: 'heroBackground._image' }] } } }
      const preview = await render({ data: withImage(_id) })
      expect({ ...preview, body: JSON.parse(preview.text) }).toMatchObject(invalid)
      expect(await service.editor.patch(`@cms/styles/${await one()}`, withImage(_id))).toMatchObject(invalid)
    }
    const { errors } = JSON.parse((await render({ data: { headSize: 999, ...withImage('nosuch') } })).text).data
    expect(errors.map(({ path }: { path: string }) => path)).toEqual(['headSize', 'heroBackground._image'])
    expect((await render({ data: withImage(image._id) })).text).toContain(image.attachment._urls.max)
    const draft = await imagePiece(service)
    await service.admin.post(`@cms/image/${draft._id}/unpublish`)
    const hidden = await render({ data: withImage(draft._id) })
    expect([hidden.status, hidden.text]).toEqual([
      400,
      (await render({ data: withImage('nosuch') })).text.replaceAll('nosuch', draft.aposDocId),
    ])
    // As in the stylesheet, which is for all.
    for (const { _id } of [member, gone]) {
      expect(await render({ data: withImage(_id) }, 'key-admin')).toMatchObject({ status: 200, text: DEFAULTS })
    }
  })

  it('§4.7 visitors get a link to the stylesheet, all others the styles themselves', async () => {
    await publish({ headSize: 44, theme: 'theme-dark' })
    const { stylesStylesheetVersion: version } = await global()
    const page = await visit(service, '/')
    expect(page.text).toContain(
      `<link rel="stylesheet" href="${STYLESHEET}/locale/en/published?version=${version}"><div id="apos-styles"></div>`,
    )
    expect(page.text).toContain('<body class="theme-dark">')
    expect((await visit(service, '/fr/')).text).toContain('/stylesheet/locale/fr/published?version=')
    const known = await visit(service, '/', { role: 'editor' })
    expect(known.text).toContain(`<style id="apos-styles-stylesheet">${await css(service)}</style>`)
    expect(known.text).not.toContain('<link rel="stylesheet"')
    await publish({ headSize: 45 })
    expect((await visit(service, '/')).text).not.toContain(`version=${version}"`)
    const { data } = await visit(service, '/', { front: true })
    expect(data.prependBody).toContain('<link rel="stylesheet"')
    expect(data.aposBodyClasses).toBe('theme-dark')
  })

  it('§4.6 static builds write the stylesheet as a file', async () => {
    const { data } = await visit(service, '/api/v1/@cms/url?aposLocale=fr', { front: true })
    expect(data.pages).toContainEqual({
      url: `${STYLESHEET}/locale/fr/published`,
      contentType: 'text/css',
      i18nId: '@cms/styles:stylesheet',
      sitemap: false,
    })
    const { data: routes } = await visit(service, '/api/v1/@cms/url/literal-routes', { front: true })
    expect(routes.patterns).toContain(`${STYLESHEET}/**`)
  })

  it('§4.7 an image of a background is in the stylesheet while visitors may see it', async () => {
    const image = await imagePiece(service)
    const heroBackground = { enabled: true, backgroundType: 'image', _image: [image] }
    await publish({ heroBackground })
    expect(await css(service)).toContain(image.attachment._urls.max)
    await service.admin.patch(`@cms/image/${image._id}`, { visibility: 'loginRequired' })
    expect(await css(service)).not.toContain(image.attachment._urls.max)
    await publish({ heroBackground: { enabled: false } })
  })
})

describe.each(testDatabases)('§4.7 global styles, on $name', (databases) => {
  it('§4.7 a field that was declared later has its default at once', async () => {
    const service = await startService(databases, { site: defineSite({ styles: { add: {} } }) })
    try {
      expect(await css(service)).toBe('')
      expect((await visit(service, '/')).text).not.toContain('apos-styles')
      const database = service.databaseUrl
      const app = await createApp(site, { database, uploads: service.uploads, keys: [EDITOR] })
      const address = await app.listen(0, '127.0.0.1')
      expect(await css({ ...service, address })).toBe(DEFAULTS)
      const editor = callerOf(address, EDITOR.key, null)
      const { body } = await editor.get('@cms/styles', 'aposMode=draft')
      const [{ _id, ...given }] = body.results
      expect(given).toMatchObject({ headSize: 32 })
      expect((await editor.put(`@cms/styles/${_id}`, given)).status).toBe(200)
      expect((await editor.post(`@cms/styles/${_id}/publish`)).status).toBe(200)
      expect(await css({ ...service, address })).toBe(DEFAULTS)
      await app.close()
    } finally {
      await service.stop()
    }
  })

  it('§2.16 what the service makes at start may lack required values, until it is saved', async () => {
    const need = { type: 'color', required: true, selector: 'q', property: 'color' } as const
    const name = { type: 'string', required: true } as const
    const home = page('@cms/home-page', { fields: { add: { name } } })
    const site = defineSite({ types: [home], styles: { add: { need } }, global: { fields: { add: { name } } } })
    const service = await startService(databases, { site })
    try {
      for (const [path, field] of [
        ['@cms/styles', 'need'],
        ['@cms/global', 'name'],
        ['@cms/page', 'name'],
      ] as const) {
        const { body } = await service.admin.get(path)
        const { _id } = body.results?.[0] ?? body
        const refused = await service.admin.patch(`${path}/${_id}`, { [field]: '' })
        expect(refused).toMatchObject({ status: 400, body: { data: { errors: [{ path: field, name: 'required' }] } } })
        expect((await service.admin.patch(`${path}/${_id}`, { [field]: '#123456' })).status).toBe(200)
      }
      expect(await css(service)).toBe('q{color: #123456;}')
    } finally {
      await service.stop()
    }
  })

  it('§4.7 a site makes its stylesheet by itself', async () => {
    const own = defineSite({
      styles: {
        add: styles.add,
        getStylesheet: async ({ headSize }) => ({ css: `i{width:${headSize}px}/*</style>*/`, classes: ['own'] }),
      },
    })
    const service = await startService(databases, { site: own })
    try {
      expect(await css(service)).toBe('i{width:32px}/*</style>*/')
      const { text } = await visit(service, '/', { role: 'admin' })
      expect(text).toContain('i{width:32px}/*<\\/style>*/</style>')
      expect(text).toContain('<body class="own">')
    } finally {
      await service.stop()
    }
  })
})
