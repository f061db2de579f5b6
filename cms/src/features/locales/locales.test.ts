import { beforeAll, expect, it } from 'vitest'
import { sampledDatabases } from '../../../test/databases.ts'
import { callerOf, describeService } from '../../../test/service.ts'
import { FRONT_KEY, visit } from '../../../test/visits.ts'
import { createApp } from '../../app.ts'
import { namedActor } from '../../engine/access/authenticate.ts'
import { forgetExpiredClipboards, hasClipboard, storeClipboard, takeClipboard } from '../../engine/access/clipboards.ts'
import { defineSite } from '../../model/compile/site.ts'
import { page, piece } from '../../model/declared/content-type.ts'

const types = [
  piece('article', { publicApiProjection: ['title', '_url'] }),
  piece('memo', { viewRole: 'editor' }),
  piece('tag', { localized: false }),
  page('articles', { piecesType: 'article' }),
] as const

const prefixes = defineSite({
  types,
  locales: {
    en: { label: 'English' },
    fr: { label: 'Français', prefix: '/fr' },
    ar: { label: 'العربية', prefix: '/ar', direction: 'rtl' },
    it: { label: 'Italiano', prefix: '/it', private: true },
    // Of thirty locales each costs no more than of two.
    ...Object.fromEntries(
      Array.from({ length: 26 }, (_, n) => {
        const name = `x${String.fromCharCode(97 + n)}`
        return [name, { label: name, prefix: `/${name}` }]
      }),
    ),
  },
})

describeService('locales', { isLong: true, site: prefixes, frontKey: FRONT_KEY }, (service) => {
  const made = { page: '', article: '', english: '', memo: '', tag: '', guests: '' }
  const switched = async (body: object, query = '') =>
    (await service.guest.post('@cms/i18n/locale', body, query)).body.redirectTo
  const exist = (body: object) => service.contributor.post('@cms/i18n/exist-in-locale', body)

  beforeAll(async () => {
    const { admin } = service
    const inFrench = async (type: string, body: object) => {
      const { aposDocId } = (await admin.post(type, body)).body
      const { status } = await admin.post(`${type}/${aposDocId}/localize`, { toLocale: 'fr', publish: true })
      expect(status).toBe(200)
      return aposDocId
    }
    const place = { _targetId: '_home', _position: 'lastChild' }
    made.page = await inFrench('@cms/page', { type: 'articles', title: 'Articles', ...place })
    made.article = await inFrench('article', { title: 'Both' })
    made.guests = await inFrench('article', { title: 'Guests', visibility: 'loginRequired' })
    made.memo = await inFrench('memo', { title: 'Memo' })
    made.english = (await admin.post('article', { title: 'English' })).body.aposDocId
    made.tag = (await admin.post('tag', { title: 'Tag' })).body.aposDocId
    await admin.patch(`@cms/page/${made.page}:fr:published`, { slug: '/les-articles' })
  })

  it('§4.5 a document leads to its page in another locale, where the caller may read it there', async () => {
    const led = async (path: string, role: string | null = null, query = '') => {
      const who = callerOf(service.address, role && `key-${role}`, null)
      const { status, headers, body } = await who.get(path, query)
      return headers.get('location') ?? `${status} ${body.name}`
    }
    for (const id of [made.article, `${made.article}:en:published`, `${made.article}:ar:published`]) {
      expect(await led(`article/${id}/locale/fr`)).toBe('/fr/les-articles/both')
      expect(await led(`article/${id}/locale/en`)).toBe('/articles/both')
    }
    expect(await led(`article/${made.english}/locale/fr`)).toBe('404 notfound')
    for (const locale of ['zz', 'it', '__proto__', 'fr:draft']) {
      expect(await led(`article/${made.article}/locale/${locale}`)).toBe('404 notfound')
    }
    expect(await led(`article/${made.guests}/locale/fr`)).toBe('404 notfound')
    expect(await led(`article/${made.guests}/locale/fr`, 'guest')).toBe('/fr/les-articles/guests')
    expect(await led(`article/${made.article}/locale/fr`, null, 'aposMode=draft')).toBe('401 unauthorized')
    expect(await led(`article/${made.article}:en:draft/locale/fr`, 'guest')).toBe('403 forbidden')
    expect(await led(`article/${made.article}:en:draft/locale/fr`, 'contributor')).toBe('/fr/les-articles/both')
    expect(await led(`memo/${made.memo}/locale/fr`, 'contributor')).toBe('404 notfound')
    expect(await led(`memo/${made.memo}/locale/fr`, 'editor')).toBe('400 invalid')
    expect(await led(`memo/${made.article}/locale/fr`, 'editor')).toBe('404 notfound')
    for (const id of [made.page, '_home']) {
      expect(await led(`@cms/page/${id}/locale/fr`)).toBe('404 notfound')
      const path = id === '_home' ? '/fr/' : '/fr/les-articles'
      expect(await led(`@cms/page/${id}/locale/fr`, 'contributor')).toBe(path)
    }
    expect(await led(`@cms/page/${made.article}/locale/fr`, 'contributor')).toBe('404 notfound')
  })

  it('§4.5 a document leads to a page whose slug has other letters than those of English', async () => {
    const { body } = await service.admin.post('article', { title: 'ÆØÅ 日本' })
    const localized = await service.admin.post(`article/${body.aposDocId}/localize`, { toLocale: 'fr', publish: true })
    const anonymous = callerOf(service.address, null, null)
    const { status, headers } = await anonymous.get(`article/${body.aposDocId}/locale/fr`)
    expect([status, headers.get('location')]).toEqual([
      302,
      `/fr/les-articles/${encodeURIComponent(localized.body.slug)}`,
    ])
    expect(localized.body.slug).toMatch(/日本/)
  })

  it('§4.5 GET locales names what the caller may know of, and whether they may edit there', async () => {
    const { body, headers } = await service.anonymous.get('@cms/i18n/locales')
    expect(Object.keys(body).slice(0, 4)).toEqual(['en', 'fr', 'ar', 'xa'])
    expect(body.en).toEqual({ label: 'English', _edit: false, direction: 'ltr' })
    expect(body.ar).toEqual({ label: 'العربية', _edit: false, direction: 'rtl', prefix: '/ar' })
    expect(headers.get('etag')).not.toBeNull()
    const { it: italian } = (await service.guest.get('@cms/i18n/locales')).body
    expect(italian).toEqual({ label: 'Italiano', _edit: false, direction: 'ltr', prefix: '/it', private: true })
    expect((await service.contributor.get('@cms/i18n/locales')).body.it._edit).toBe(true)
    expect((await visit(service, '/it/api/v1/@cms/i18n/locales')).data.it).toBeUndefined()
  })

  it('§4.5 POST locale leads to the document in that locale, else to its home page', async () => {
    expect(await switched({ locale: 'fr' })).toBe('/fr/')
    expect(await switched({ locale: 'en' }, 'aposLocale=fr')).toBe('/')
    expect(await switched({ locale: 'it' })).toBe('/it/')
    expect(await switched({ locale: 'fr', contextDocId: '_home' })).toBe('/fr/')
    expect(await switched({ locale: 'fr', contextDocId: `${made.page}:en:published` })).toBe('/fr/les-articles')
    expect(await switched({ locale: 'fr', contextDocId: made.article })).toBe('/fr/les-articles/both')
    expect(await switched({ locale: 'en', contextDocId: `${made.article}:fr:published` })).toBe('/articles/both')
    for (const contextDocId of [
      made.english,
      made.memo,
      made.tag,
      'nosuchdocument',
      '..//',
      `${made.article}:en:draft`,
    ]) {
      expect({ contextDocId, to: await switched({ locale: 'fr', contextDocId }) }).toEqual({ contextDocId, to: '/fr/' })
    }
    const { body } = await service.contributor.post('@cms/i18n/locale', {
      locale: 'fr',
      contextDocId: `${made.article}:en:draft`,
    })
    expect(body.redirectTo).toBe('/fr/les-articles/both')
  })

  it('§4.5 POST locale takes query or body, the body wins, and is for known callers', async () => {
    expect(await switched({}, `locale=fr&contextDocId=${made.article}`)).toBe('/fr/les-articles/both')
    expect(await switched({ locale: 'en' }, 'locale=fr')).toBe('/')
    for (const body of [{}, { locale: 'zz' }, { locale: ['fr'] }, { locale: 'fr', contextDocId: {} }, { locale: '' }]) {
      expect(await service.guest.post('@cms/i18n/locale', body)).toMatchObject({
        status: 400,
        body: { name: 'invalid' },
      })
    }
    expect((await service.anonymous.post('@cms/i18n/locale', { locale: 'fr' })).status).toBe(401)
    // The host is the same: no token.
    expect(await switched({ locale: 'fr', clipboard: 'text' })).toBe('/fr/')
  })

  it('§4.5 exist-in-locale answers for documents that the caller may see there', async () => {
    const ids = [
      `${made.english}:en:draft`,
      `${made.article}:en:draft`,
      made.page,
      made.memo,
      made.guests,
      made.tag,
      'x',
      '::',
    ]
    const { body } = await exist({ ids, locale: 'fr', mode: 'draft' })
    const aposDocIds = [made.article, made.page, made.guests, made.tag]
    const of = (mode: string, locale: string) =>
      aposDocIds.map((id) => (id === made.tag ? id : `${id}:${locale}:${mode}`))
    expect(body).toEqual({ originalLocaleIds: of('draft', 'en'), newLocaleIds: of('draft', 'fr'), aposDocIds })
    expect(
      (await service.editor.post('@cms/i18n/exist-in-locale', { ids, locale: 'fr', mode: 'published' })).body
        .aposDocIds,
    ).toContain(made.memo)
    const seen = async (mode: string) =>
      (await service.guest.post('@cms/i18n/exist-in-locale', { ids, locale: 'fr', mode })).body.aposDocIds
    // Guests see no drafts: of those nothing exists for them.
    expect(await seen('draft')).toEqual([])
    const home = await exist({ ids: ['_home', '_archive'], locale: 'fr', mode: 'draft' })
    expect(home.body.aposDocIds).toHaveLength(1)
    expect(await seen('published')).toEqual([made.article, made.page, made.guests].filter((id) => id !== made.page))
    expect((await exist({ ids, locale: 'it', mode: 'draft' })).body.newLocaleIds).toEqual([made.tag])
  })

  it('§4.5 exist-in-locale refuses what is missing or unknown', async () => {
    for (const body of [
      { locale: 'fr', mode: 'draft' },
      { ids: 'x', locale: 'fr', mode: 'draft' },
      { ids: [1], locale: 'fr', mode: 'draft' },
      { ids: [], locale: 'zz', mode: 'draft' },
      { ids: [], mode: 'draft' },
      { ids: [], locale: 'fr' },
      { ids: [], locale: 'fr', mode: 'live' },
      { ids: Array(501).fill('a'), locale: 'fr', mode: 'draft' },
    ]) {
      expect(await exist(body)).toMatchObject({ status: 400, body: { name: 'invalid' } })
    }
    expect((await exist({ ids: [], locale: 'fr', mode: 'draft' })).body.aposDocIds).toEqual([])
  })

  it('§4.5 of thirty locales, locales asks the database nothing, and exist-in-locale for 500 ids once', async () => {
    await service.quiet()
    const count = async (work: () => Promise<unknown>) => {
      const before = service.statements.length
      await work()
      return service.statements.slice(before).filter((sql) => /documents/.test(sql)).length
    }
    const ids = Array.from({ length: 499 }, (_, n) => `unknown${n}`)
    expect(await count(() => service.editor.get('@cms/i18n/locales', 'fresh=1'))).toBe(0)
    expect(await count(() => exist({ ids: [made.article, ...ids], locale: 'fr', mode: 'draft' }))).toBe(1)
  })
})

const host = (hostname: string, prefix?: string) => ({ label: hostname, hostname, ...(prefix ? { prefix } : {}) })
const hosts = defineSite({
  types,
  trustProxy: true,
  prefix: '/site',
  baseUrl: 'http://en.example.test',
  locales: {
    en: host('en.example.test'),
    fr: host('en.example.test', '/fr'),
    de: host('de.example.test'),
    ja: host('de.example.test:8080'),
    it: { ...host('it.example.test'), private: true },
  },
})

describeService(
  'locales with hosts',
  { site: hosts, frontKey: FRONT_KEY, on: sampledDatabases('hosts') },
  (service) => {
    const at = (hostname: string) => ({ 'x-forwarded-host': hostname })
    const guest = { authorization: 'ApiKey key-guest' }
    const api = async (method: string, path: string, headers: object = {}, sent?: object) => {
      const answer = await fetch(`${service.address}/site/api/v1/@cms/${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(sent ? { body: JSON.stringify(sent) } : {}),
      })
      // Tests look into answers freely.
      // biome-ignore lint/suspicious/noExplicitAny: see above
      const body: any = method === 'HEAD' ? null : await answer.json()
      return { status: answer.status, headers: answer.headers, body }
    }
    const switched = async (from: string, body: object) =>
      String((await api('POST', 'i18n/locale', { ...guest, ...at(from) }, body)).body.redirectTo)
    const tokenOf = async (clipboard: string) =>
      new URL(await switched('en.example.test', { locale: 'de', clipboard })).searchParams.get(
        'aposCrossDomainSessionToken',
      )
    const fetched = (token: string | null, method = 'GET') => api(method, `i18n/clipboard?token=${token}`)

    it('§4.5 a locale of the same host is a path, one of another host a URL', async () => {
      expect(await switched('en.example.test', { locale: 'fr', clipboard: 'x' })).toBe('/site/fr/')
      expect(await switched('en.example.test', { locale: 'de' })).toBe('http://de.example.test/site/')
      expect(await switched('de.example.test:8080', { locale: 'ja' })).toBe('/site/')
      expect(await switched('de.example.test', { locale: 'ja' })).toBe('http://de.example.test:8080/site/')
      // Of a host that is not the site's, the request's locale counts.
      expect(await switched('proxy', { locale: 'fr' })).toBe('/site/fr/')
    })

    it('§4.5 the clipboard is fetched once, by anybody who has the token, in any process', async () => {
      const token = await tokenOf('a “clipboard”')
      expect(token).toMatch(/^[\w-]{43}$/)
      expect((await fetched(token, 'HEAD')).status).toBe(200)
      const other = await createApp(hosts, { database: service.databaseUrl, uploads: service.uploads })
      try {
        const address = await other.listen(0, '127.0.0.1')
        const all = await Promise.all(
          [address, service.address, address, service.address].map((one) =>
            fetch(`${one}/site/api/v1/@cms/i18n/clipboard?token=${token}`),
          ),
        )
        expect(all.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404])
        const winner = all.find(({ status }) => status === 200)
        expect(winner?.headers.get('cache-control')).toBe('no-store')
        expect(await winner?.json()).toEqual({ clipboard: 'a “clipboard”' })
      } finally {
        await other.close()
      }
      expect((await fetched(token)).status).toBe(404)
      expect((await fetched(token, 'HEAD')).status).toBe(404)
      expect((await fetched('wrong')).status).toBe(404)
      for (const query of ['', '?token=', '?token[]=a']) {
        expect((await api('GET', `i18n/clipboard${query}`)).status).toBe(400)
      }
      expect(JSON.stringify(service.logged)).not.toContain(token)
    })

    it('§4.5 the clipboard may come in the query, as long as a URL is', async () => {
      const clipboard = 'long '.repeat(1000)
      const query = new URLSearchParams({ locale: 'de', clipboard })
      const { body } = await api('POST', `i18n/locale?${query}`, { ...guest, ...at('en.example.test') })
      const token = new URL(body.redirectTo).searchParams.get('aposCrossDomainSessionToken')
      expect((await fetched(token)).body).toEqual({ clipboard })
    })

    it('§4.5 a caller has ten clipboards at a time, of at most 1 MB', async () => {
      const tokens: (string | null)[] = []
      for (let n = 0; n < 12; n += 1) tokens.push(await tokenOf(`clipboard ${n}`))
      const answers = await Promise.all(tokens.map((token) => fetched(token)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
      expect(answers.at(-1)?.body).toEqual({ clipboard: 'clipboard 11' })
      const largest = 'é'.repeat(500_000)
      expect((await fetched(await tokenOf(largest))).body).toEqual({ clipboard: largest })
      const larger = { locale: 'de', clipboard: `${largest}.` }
      expect(await api('POST', 'i18n/locale', { ...guest, ...at('en.example.test') }, larger)).toMatchObject({
        status: 413,
        body: { message: 'The clipboard may hold at most 1 MB.' },
      })
    })

    it('§4.5 a clipboard can be fetched for five minutes, and is deleted then', async () => {
      const start = Date.parse('2026-03-01T12:00:00Z')
      const end = start + 5 * 60_000
      const later = (time: number) => {
        const ctx = service.app.context(namedActor({ role: 'guest', name: 'Copies' }))
        return { ...ctx, now: () => new Date(time) }
      }
      const token = await storeClipboard(later(start), 'kept')
      expect([await hasClipboard(later(end - 1), token), await hasClipboard(later(end), token)]).toEqual([true, false])
      expect(await takeClipboard(later(end), token)).toBe(null)
      await forgetExpiredClipboards(later(end - 1))
      expect(await hasClipboard(later(start), token)).toBe(true)
      await forgetExpiredClipboards(later(end))
      expect(await hasClipboard(later(start), token)).toBe(false)
      await expect(storeClipboard(service.app.context({ kind: 'anonymous' }), 'x')).rejects.toMatchObject({
        name: 'unauthorized',
      })
    })

    it('§4.5 a caller has ten clipboards however many are sent at once, to whichever process', async () => {
      const other = await createApp(hosts, {
        database: service.databaseUrl,
        uploads: service.uploads,
        keys: [{ key: 'key-guest', role: 'guest', name: 'guest key' }],
      })
      try {
        const addresses = [service.address, await other.listen(0, '127.0.0.1')]
        const sent = Array.from({ length: 30 }, async (_, n) => {
          const answer = await fetch(`${addresses[n % 2]}/site/api/v1/@cms/i18n/locale`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...guest, ...at('en.example.test') },
            body: JSON.stringify({ locale: 'de', clipboard: 'x'.repeat(200_000) }),
          })
          const { redirectTo } = (await answer.json()) as { redirectTo: string }
          return new URL(redirectTo).searchParams.get('aposCrossDomainSessionToken')
        })
        const answers = await Promise.all((await Promise.all(sent)).map((token) => fetched(token, 'HEAD')))
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
      } finally {
        await other.close()
      }
    })

    it('§4.5 a visit with the token is redirected to the same URL without it, and does not use it up', async () => {
      const url = await switched('en.example.test', { locale: 'de', clipboard: 'kept' })
      const path = url.replace('http://de.example.test', '')
      const answer = await visit(service, `${path}&a=1`, { headers: at('de.example.test') })
      expect([answer.status, answer.headers.get('location'), answer.headers.get('cache-control')]).toEqual([
        302,
        '/site/?a=1',
        'no-store',
      ])
      expect((await visit(service, path, { front: true })).data).toEqual({ redirect: true, url: '/', status: 302 })
      const evil = await visit(service, `/site//evil.test/%2F?${path.split('?')[1]}`)
      expect(evil.headers.get('location')).toBe('/site/evil.test/%2F')
      expect((await fetched(new URL(url).searchParams.get('aposCrossDomainSessionToken'))).body).toEqual({
        clipboard: 'kept',
      })
    })

    it('§4.5 callers can sign in at the host of a private locale, and see nothing of it before', async () => {
      const login = await api('POST', 'login/login', at('it.example.test'), {})
      expect(login.status).toBe(400)
      expect((await api('GET', 'image', at('it.example.test'))).status).toBe(404)
      expect((await api('GET', 'image', { ...guest, ...at('it.example.test') })).status).toBe(200)
    })
  },
)
