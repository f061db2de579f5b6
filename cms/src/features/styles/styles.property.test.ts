import fc from 'fast-check'
import { expect, test } from 'vitest'
import { referenceStyles } from '../../../../conformance/types/styles.ts'
import { imagePiece } from '../../../test/media.ts'
import { isWhole, seed } from '../../../test/sample.ts'
import { describeService } from '../../../test/service.ts'
import { FRONT_KEY, visit } from '../../../test/visits.ts'
import { type App, createApp } from '../../app.ts'
import type { JsonObject } from '../../base/json.ts'
import { compileSite } from '../../model/compile/site.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import type { StyleImage } from '../../model/styles/rule-text.ts'
import { toCss } from '../../model/styles/to-css.ts'

const locales = { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } } as const
const COPIES = ['en:draft', 'en:published', 'fr:draft', 'fr:published'] as const

/** The styles of the reference site: every preset, with all of its fields; and what they may become. */
const site = defineSite({ static: true, locales, styles: referenceStyles })
const changed = defineSite({
  static: true,
  locales,
  styles: {
    add: {
      ...referenceStyles.add,
      headSize: { ...referenceStyles.add.headSize, max: 20, def: 12 },
      blockAlign: { preset: 'alignment', choices: ['apos-left', 'apos-end'] },
      fresh: { type: 'color', selector: '.fresh', property: 'color', def: '#010101' },
    },
  },
})

const color = fc.constantFrom('#123456', '#abc', 'rgb(1, 2, 3)', 'transparent', '--own')
const number = (min: number, max: number) => fc.integer({ min, max })
const box = fc.record(
  { top: number(0, 9), right: number(0, 9), bottom: number(0, 9), left: number(0, 9) },
  { requiredKeys: [] },
)

/** Values of some of the fields, those of presets among them. */
const values = (images: readonly JsonObject[]): fc.Arbitrary<object> =>
  fc.record(
    {
      bodyColor: color,
      headSize: number(10, 80),
      theme: fc.constantFrom('theme-light', 'theme-dark'),
      wide: fc.boolean(),
      pad: box,
      mar: box,
      cardBorder: fc.record({
        active: fc.boolean(),
        width: box,
        radius: number(0, 32),
        color,
        style: fc.constantFrom('solid', 'dotted', 'dashed'),
      }),
      cardShadow: fc.record({
        active: fc.boolean(),
        x: number(-32, 32),
        y: number(-32, 32),
        blur: number(0, 32),
        color,
      }),
      heroBackground: fc.record({
        enabled: fc.constantFrom(true, true, false),
        backgroundType: fc.constantFrom('color', 'gradient', 'image', 'image', 'image'),
        color,
        gradientStart: color,
        gradientEnd: color,
        gradientAngle: number(0, 360),
        _image: fc.subarray([...images], { minLength: 0, maxLength: 1 }),
        overlay: fc.boolean(),
        overlayColor: color,
        overlayOpacity: number(0, 100),
      }),
      blockWidth: number(0, 100),
      blockAlign: fc.constantFrom('apos-left', 'apos-center', 'apos-right'),
      layoutGap: number(0, 64),
      linkGroup: fc.record({ normal: color, hover: color }),
      shadowText: fc.record({ x: number(0, 10), y: number(0, 10), c: color }),
      fam: fc.constantFrom('Arial', '"Fira Sans", sans-serif', ''),
    },
    { requiredKeys: [] },
  )

type Step =
  | { readonly kind: 'save'; readonly copy: (typeof COPIES)[number]; readonly values: object }
  | { readonly kind: 'image'; readonly index: number; readonly change: object }
  | {
      readonly kind: 'publish' | 'revert' | 'undo' | 'archive' | 'unpublish' | 'localize'
      readonly locale: 'en' | 'fr'
    }
  | { readonly kind: 'restore'; readonly locale: 'en' | 'fr'; readonly version: number }

const locale = fc.constantFrom<'en' | 'fr'>('en', 'fr')
const step = (images: readonly JsonObject[]): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('save' as const),
        copy: fc.constantFrom(...COPIES),
        values: values(images),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('image' as const),
        index: fc.nat(images.length - 1),
        change: fc.constantFrom<object>(
          { archived: true },
          { archived: false },
          { visibility: 'loginRequired' },
          { visibility: 'public' },
        ),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom(
          'publish' as const,
          'publish' as const,
          'revert' as const,
          'undo' as const,
          'archive' as const,
          'unpublish' as const,
          'localize' as const,
        ),
        locale,
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const), locale, version: fc.nat(9) }) },
  )

describeService('§4.7 the stylesheet', { site, frontKey: FRONT_KEY, isLong: true, timeout: 240_000 }, (service) => {
  const stored = async (copy: string): Promise<JsonObject> =>
    (await service.admin.get('@cms/styles', `aposLocale=${copy}`)).body.results[0]

  /**
   * Carries a step out; what is refused is refused, and the stylesheet stays. Returns the revision of what was written.
   */
  async function take(one: Step, images: readonly JsonObject[]): Promise<string> {
    const answer = await send(one, images)
    const statuses = one.kind === 'undo' ? [200, 400] : ['archive', 'unpublish'].includes(one.kind) ? [400] : [200]
    expect(statuses).toContain(answer.status)
    return answer.headers.get('quire-revision') ?? ''
  }

  async function send(one: Step, images: readonly JsonObject[]) {
    const { admin } = service
    if (one.kind === 'image') return admin.patch(`@cms/image/${images[one.index]?.aposDocId}`, one.change)
    if (one.kind === 'save') return admin.patch(`@cms/styles/${(await stored(one.copy))._id}`, one.values)
    const path = `@cms/styles/${(await stored(`${one.locale}:draft`))._id}`
    if (one.kind === 'publish') return admin.post(`${path}/publish`)
    if (one.kind === 'revert') return admin.post(`${path}/revert-draft-to-published`)
    if (one.kind === 'undo') return admin.post(`${path}/revert-published-to-previous`)
    if (one.kind === 'unpublish') return admin.post(`${path}/unpublish`)
    if (one.kind === 'archive') return admin.patch(path, { archived: true })
    const toLocale = one.locale === 'en' ? 'fr' : 'en'
    if (one.kind !== 'restore') return admin.post(`${path}/localize`, { toLocale, update: true })
    const id = path.slice('@cms/styles/'.length)
    const { body } = await admin.get('@cms/document-versions', `docId=${id}`)
    const _restoreVersion = body.results[one.version % body.results.length]?._id
    const { body: version } = await admin.get(`@cms/document-versions/${_restoreVersion}`)
    return admin.put(path, { ...version.doc, _restoreVersion })
  }

  /**
   * The URLs of the images that visitors may see in a locale: localizing brings images along, and each locale has its
   * own.
   */
  async function imageUrls(
    images: readonly JsonObject[],
    locale: string,
  ): Promise<(image: StyleImage) => string | null> {
    const urls = new Map<string, string>()
    for (const { aposDocId } of images) {
      const { status, body } = await service.anonymous.get(`@cms/image/${aposDocId}?aposLocale=${locale}`)
      if (status === 200) urls.set(String(aposDocId), body.attachment._urls.max)
    }
    return ({ docId }) => urls.get(docId) ?? null
  }

  /** Checks the styles made of the current values of each copy, in this process and in others. */
  async function check(given: typeof site, revision: string, images: readonly JsonObject[], others: readonly string[]) {
    const styles = compileSite(given).styles.fields
    const headers = revision === '' ? {} : { 'quire-revision': revision }
    for (const copy of COPIES) {
      const imageUrl = await imageUrls(images, copy.replace(/:.*/, ''))
      const expected = toCss(styles, await stored(copy), { imageUrl })
      const versions: string[] = []
      for (const address of others) {
        const read = (path: string) => visit({ address }, path, { role: 'editor', headers })
        const { text } = await read(`/api/v1/@cms/styles/stylesheet/locale/${copy.replace(':', '/')}`)
        expect({ copy, css: text }).toEqual({ copy, css: expected.css })
        const { data } = await read(`/api/v1/@cms/global?aposLocale=${copy}`)
        expect(data.results[0]).toMatchObject({ stylesStylesheet: expected.css, stylesClasses: expected.classes })
        versions.push(data.results[0].stylesStylesheetVersion)
        if (!copy.endsWith('published')) continue
        const path = copy.startsWith('fr') ? '/fr/' : '/'
        const page = await visit({ address }, path, { headers })
        expect(page.text).toContain(expected.css === '' ? '<div id="apos-styles">' : `version=${versions[0]}"`)
        expect(page.text).toContain(`<body class="${expected.classes.join(' ')}">`)
      }
      expect(new Set(versions).size).toBe(1)
    }
  }

  async function another(given: typeof site, address: (app: App) => Promise<string>): Promise<[App, string]> {
    const keys = [{ key: 'key-editor', role: 'editor', name: 'editor' }] as const
    const app = await createApp(given, { database: service.databaseUrl, uploads: service.uploads, keys })
    return [app, await address(app)]
  }

  test('§4.7 is right after every write, in every process, and with other declarations', async () => {
    const images = await Promise.all([imagePiece(service), imagePiece(service)])
    const listen = (app: App) => app.listen(0, '127.0.0.1')
    const [second, address] = await another(site, listen)
    try {
      const steps = fc.array(step(images), { minLength: 10, maxLength: 14 })
      const property = fc.asyncProperty(steps, async (all) => {
        for (const one of all) await check(site, await take(one, images), images, [service.address, address])
        const [third, other] = await another(changed, listen)
        try {
          await check(changed, '', images, [other])
        } finally {
          await third.close()
        }
      })
      await fc.assert(property, { seed, numRuns: isWhole ? 10 : 2, endOnFailure: true })
      // The index is again that of the first declarations, by which the database is checked at the end.
      const [last] = await another(site, listen)
      await last.close()
    } finally {
      await second.close()
    }
  })
})
