import { beforeAll, expect, test } from 'vitest'
import { defineSite } from '../src/model/compile/site-options.ts'
import { piece } from '../src/model/declared/content-type.ts'
import { isWhole } from './sample.ts'
import { describeService } from './service.ts'

const OTHERS = Array.from({ length: 29 }, (_, n) => `x${String.fromCharCode(97 + (n % 26))}${n < 26 ? '' : 'x'}`)
const DOCUMENTS = isWhole ? 1000 : 40
/** How many a bulk request takes. */
const MOST = 500

const site = defineSite({
  locales: {
    en: { label: 'English' },
    ...Object.fromEntries(OTHERS.map((name) => [name, { label: name, prefix: `/${name}` }])),
  },
  types: [piece('word')],
})

describeService('§4.5 thirty locales', { site, timeout: 900_000, isLong: true }, (service) => {
  const ids: string[] = []
  const parts = () =>
    Array.from({ length: Math.ceil(ids.length / MOST) }, (_, n) => ids.slice(n * MOST, (n + 1) * MOST))
  let count = 0
  /** How many statements each of the routes takes. */
  const statements = async () => {
    await service.quiet()
    const found: { [route: string]: number } = {}
    const measure = async (name: string, ask: (fresh: string) => Promise<{ status: number }>) => {
      const before = service.statements.length
      count += 1
      expect((await ask(`fresh=${count}`)).status).toBe(200)
      found[name] = service.statements.length - before
    }
    await measure('locales', (fresh) => service.editor.get('@cms/i18n/locales', fresh))
    await measure(':_id/locales', (fresh) => service.editor.get(`word/${ids[0]}:en:draft/locales`, fresh))
    const body = { ids: ids.slice(0, MOST).map((id) => `${id}:en:draft`), locale: 'xa', mode: 'draft' }
    await measure('exist-in-locale', (fresh) => service.editor.post('@cms/i18n/exist-in-locale', body, fresh))
    return found
  }

  beforeAll(async () => {
    for (let n = 0; n < DOCUMENTS; n += 1) {
      ids.push((await service.editor.post('word', { title: `Word ${n}` }, 'aposMode=draft')).body.aposDocId)
    }
  }, 300_000)

  test(`what is asked of ${DOCUMENTS} documents takes as many statements in thirty locales as in one`, async () => {
    const alone = await statements()
    for (const locale of OTHERS) {
      for (const part of parts()) {
        const { body } = await service.editor.post('word/localize', { _ids: part, toLocales: [locale] })
        expect(body.results.every(({ ok }: { ok: boolean }) => ok)).toBe(true)
      }
    }
    expect(await statements()).toEqual(alone)
    expect(alone).toEqual({ locales: 0, ':_id/locales': 2, 'exist-in-locale': 1 })
    const { results, missing } = (await service.editor.get(`word/${ids[0]}:en:draft/locales`)).body
    expect([results.length, missing]).toEqual([30, []])
    const named = ids.slice(0, MOST).map((id) => `${id}:en:draft`)
    const { body } = await service.editor.post('@cms/i18n/exist-in-locale', { ids: named, locale: 'xa', mode: 'draft' })
    expect(body.originalLocaleIds).toEqual(named)
    expect((await service.editor.get('word', 'aposLocale=xa:draft')).body.total).toBe(DOCUMENTS)
  })
})
