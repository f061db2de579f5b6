import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '../src/base/ids.ts'
import { exportTexts } from '../src/cli/locales/locale-export.ts'
import { importTexts } from '../src/cli/locales/locale-import.ts'
import { isUntouched } from '../src/engine/xliff/decide-import.ts'
import { htmlOf } from '../src/engine/xliff/inline.ts'
import { XliffReader } from '../src/engine/xliff/read-xliff.ts'
import { XLIFF_END, xliffFile, xliffHead } from '../src/engine/xliff/write-xliff.ts'
import { defineSite } from '../src/model/compile/site-options.ts'
import { page, piece } from '../src/model/declared/content-type.ts'
import { string } from '../src/model/fields/string.ts'
import { openValues } from '../src/model/terms/document.ts'
import { textsOf } from '../src/model/values/document-texts.ts'
import { fuzzing } from './sample.ts'
import { describeService } from './service.ts'

const LANGUAGES = { from: 'en', to: 'ar_EG', direction: 'rtl' } as const
const PIECES = [
  '',
  ' ',
  'a',
  '&',
  '<',
  '>',
  '"',
  ']]>',
  '<![CDATA[',
  '&amp;',
  '&#13;',
  '\r\n',
  '\t',
  '\u0001',
  '\ufffe',
  'ע',
  '😀',
  '\u2028',
]
const text = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary' })), { maxLength: 6 })
  .map((all) => all.join(''))
const attributes = fc.constantFrom('', ' href="/a?b=1&amp;c=2" title="&quot;"', ' class="x"')
const { html } = fc.letrec<{ html: string }>((tie) => ({
  html: fc
    .array(
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        text.map(htmlOf),
        fc.constantFrom('<br />', '<img src="/a.png" />', '<hr>', '&nbsp;', '<p>', '</i>', '&', '<', '>'),
        fc
          .tuple(fc.constantFrom('p', 'strong', 'a', 'li'), attributes, tie('html'))
          .map(([tag, some, inner]) => `<${tag}${some}>${inner}</${tag}>`),
      ),
      { maxLength: 4 },
    )
    .map((all) => all.join('')),
}))

/** A field as the writer needs it. */
const field = { label: 'A "label" & more\u0001', type: string } as never

function read(xml: string) {
  const reader = new XliffReader()
  const documents = [...xml].length === 0 ? [] : [...reader.write(xml).documents]
  reader.end()
  return documents
}

function fileOf(kind: 'text' | 'html', translation: string, value = `${translation}.`): string {
  const one = { path: 'links.a.label', kind, text: value, field }
  const document = {
    type: '@cms/page',
    docId: 'abc',
    title: value,
    texts: [one],
    translated: new Map([[one.path, translation]]),
    outdated: new Set<string>(),
  }
  return xliffHead(LANGUAGES) + xliffFile(document, 1, LANGUAGES) + XLIFF_END
}

describe('§4.5 XLIFF', () => {
  test('any text and any HTML comes back to the last character', () => {
    const property = fc.property(
      text.filter((one) => one.trim() !== ''),
      html.filter((one) => one.trim() !== ''),
      (plain, rich) => {
        expect(read(fileOf('text', plain))[0]).toMatchObject({
          type: '@cms/page',
          docId: 'abc',
          texts: [{ path: 'links.a.label', text: plain }],
          sources: [{ path: 'links.a.label', text: `${plain}.` }],
        })
        const [document] = read(fileOf('html', rich))
        expect([document?.texts[0]?.html, document?.sources[0]?.html]).toEqual([rich, `${rich}.`])
        expect(document?.texts.every(isUntouched)).toBe(true)
      },
    )
    fc.assert(property, fuzzing(200))
  })

  test('segments, marks, CDATA, prefixes and elements of others are read as what they stand for', () => {
    const xml = `<x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:2.0" xmlns:o="urn:other" version="2.1" srcLang="en" trgLang="fr">
      <x:file id="f1" original="word/abc"><o:thing><x:unit id="u0" name="no"/></o:thing><x:group id="g"><x:unit id="u1" name="title">
      <x:originalData><x:data id="d1">&lt;b&gt;</x:data><x:data id="d2">&lt;/b&gt;</x:data></x:originalData>
      <x:segment><x:source>One.</x:source><x:target>Un<x:mrk id="m" type="term">e</x:mrk>.<o:note>no</o:note></x:target></x:segment>
      <x:ignorable><x:source> </x:source></x:ignorable>
      <x:segment><x:source>Two</x:source><x:target><x:sc id="1" dataRef="d1"/><![CDATA[D<ux]]><x:ec startRef="1" dataRef="d2"/></x:target></x:segment>
      </x:unit></x:group><x:unit id="u2" name="lead"><x:segment><x:source>Open</x:source><x:target/></x:segment></x:unit>
      <x:unit id="u3" name="odd"><x:segment><x:source>A</x:source><x:target><x:ph id="1" dataRef="d9"/></x:target></x:segment></x:unit></x:file></x:xliff>`
    const [document] = read(xml)
    expect(document).toMatchObject({ type: 'word', docId: 'abc', untranslated: 1, problems: [{ path: 'odd' }] })
    expect(document?.texts).toMatchObject([
      { path: 'title', text: 'Une. D<ux', html: 'Une. <b>D&lt;ux</b>', hasTags: true, exported: null },
    ])
  })

  test('segments stand in the order of the translation, and blank ones are none', () => {
    const unit = (name: string, segments: string) => `<unit id="${name}" name="${name}">${segments}</unit>`
    const xml = `${xliffHead(LANGUAGES)}<file id="f" original="word/abc">
      ${unit('a', '<segment><source>1</source><target order="2">one</target></segment><segment><source>2</source><target order="1">two</target></segment>')}
      ${unit('b', '<segment><source>1</source><target order="9">one</target></segment>')}
      ${unit('c', '<segment><source>1</source><target>  </target></segment>')}</file>${XLIFF_END}`
    const [document] = read(xml)
    expect(document?.texts.map(({ text }) => text)).toEqual(['twoone', 'one'])
    expect(document).toMatchObject({ untranslated: 1, exported: null })
    expect(document?.sources.map(({ text }) => text)).toEqual(['12', '1', '1'])
  })

  test.each([
    ['<!DOCTYPE x [<!ENTITY a "aaa">]><xliff/>', 'document type'],
    ['<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"/>', 'not XLIFF 2'],
    [`${xliffHead(LANGUAGES)}<file>&a;`, 'not well formed'],
    [`${xliffHead(LANGUAGES)}<file>`, 'not well formed'],
    [xliffHead(LANGUAGES) + '<file>'.repeat(300), 'too deeply'],
    [fileOf('text', '\u0001').replaceAll('hex="0001"', 'hex="110000"'), 'no character'],
    ['', 'not'],
  ])('%.60s is refused', (xml, message) => {
    expect(() => read(xml)).toThrow(message)
  })
})

const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  types: [
    piece('word', {
      fields: {
        add: {
          lead: { type: 'string', max: 20 },
          price: { type: 'integer' },
          links: {
            type: 'array',
            fields: {
              add: {
                label: { type: 'string' },
                more: { type: 'object', fields: { add: { deep: { type: 'string' } } } },
              },
            },
          },
          body: { type: 'area', widgets: { '@cms/rich-text': {} } },
          _words: { type: 'relationship', withType: 'word', fields: { add: { why: { type: 'string' } } } },
        },
      },
    }),
    page('leaf'),
    piece('live', { autopublish: true }),
  ],
  pages: { parked: [{ parkedId: 'news', type: 'leaf', title: 'News', slug: '/news', fixed: ['title'] }] },
})

describeService('§4.5 quire locale export and import', { site, isLong: true }, (service) => {
  const fileName = () => {
    const file = join(tmpdir(), `quire-${newId()}.xlf`)
    onTestFinished(() => rm(file, { force: true }))
    return file
  }
  const operator = () => service.app.context({ kind: 'operator' })
  const exported = async (type?: string) => {
    const file = fileName()
    await exportTexts(operator(), file, { from: 'en', to: 'fr', type }, () => {})
    return file
  }
  const translated = async (file: string, translate: (source: string) => string) => {
    const xml = await readFile(file, 'utf8')
    await writeFile(
      file,
      xml.replaceAll(
        /(<source[^>]*>)(.*?)<\/source>(?:<target.*?<\/target>)?/gs,
        (all, _, source) =>
          `${all.replace(/<target.*/s, '')}<target xml:space="preserve">${translate(source)}</target>`,
      ),
    )
    return importTexts(operator(), file, () => {})
  }
  const textsIn = async (id: string, locale: string) => {
    const document = await service.app.store.documents.get({ docId: id, locale, mode: 'draft' })
    const type = service.app.site.types.get(document?.type ?? '')
    return document && type
      ? [...textsOf(type.fields, openValues(document))].map(({ path, text }) => [path, text])
      : null
  }

  test('texts at any depth go out and come back as drafts of the other locale', async () => {
    const other = (await service.admin.post('word', { title: 'Other' })).body
    const word = (
      await service.admin.post('word', {
        title: 'Title & <more>',
        lead: 'Lead',
        price: 3,
        links: [{ label: 'One', more: { deep: 'Deep' } }, { label: '' }],
        body: '<p>Rich <strong>text</strong> &amp; <a href="/a?b=1&amp;c=2">link</a><br />end</p>',
        wordsIds: [other.aposDocId],
        wordsFields: { [other.aposDocId]: { why: 'Because' } },
      })
    ).body
    const place = { type: 'leaf', _targetId: '_home', _position: 0 }
    const parent = (await service.admin.post('@cms/page', { title: 'Parent', ...place })).body
    const child = (await service.admin.post('@cms/page', { title: 'Child', ...place, _targetId: parent._id })).body
    const file = await exported()
    const untouched = await importTexts(operator(), file, () => {})
    expect(untouched.refused).toEqual([])
    expect(await textsIn(word.aposDocId, 'fr')).toBeNull()

    const { refused } = await translated(file, (source) => source)
    expect(refused).toEqual([])
    const english = await textsIn(word.aposDocId, 'en')
    expect(english?.map(([, one]) => one)).toEqual(expect.arrayContaining(['Deep', 'Because', 'Title & <more>']))
    expect(await textsIn(word.aposDocId, 'fr')).toEqual(english)
    expect((await translated(file, (source) => source)).documents).toBe(0)

    expect((await translated(file, (source) => `${source}!`)).refused).toEqual([])
    const expected = english?.map(([path, one]) => [path, one === '' ? '' : `${one}!`])
    expect(await textsIn(word.aposDocId, 'fr')).toEqual(expected)
    const { body } = await service.admin.get(`word/${word.aposDocId}`, 'aposLocale=fr:draft')
    expect([body.price, body.wordsIds, body.slug]).toEqual([3, [other.aposDocId], word.slug])
    expect((await service.admin.get(`word/${word.aposDocId}`, 'aposLocale=fr')).status).toBe(404)
    const french = (await service.admin.get(`@cms/page/${child.aposDocId}`, 'aposLocale=fr:draft')).body
    expect([french.title, french._ancestors.at(-1)._id]).toEqual(['Child!', `${parent.aposDocId}:fr:draft`])
    expect(await readFile(await exported(), 'utf8')).toContain('<target xml:space="preserve">Lead!</target>')
  })

  test('what was changed since the export is told, and what was not translated stays as it is', async () => {
    const body = '<p>Rich <strong>text</strong></p>'
    const sent = { title: 'Ink', lead: 'Slow', body, links: [{ label: 'Link' }] }
    const { aposDocId: id, links } = (await service.admin.post('word', sent)).body
    await service.admin.post(`word/${id}/localize`, { toLocale: 'fr' })
    const state = (xml: string, path: string) => {
      const unit = xml
        .slice(xml.indexOf(`original="word/${id}"`))
        .split('<unit ')
        .find((one) => one.includes(`name="${path}"`))
      return /<segment[^>]*>/.exec(unit ?? '')?.[0] + (unit?.includes('<target') ? ' target' : '')
    }
    // A copy is no translation.
    expect(state(await readFile(await exported('word'), 'utf8'), 'title')).toBe('<segment>')
    await service.admin.patch(`word/${id}:fr:draft`, { title: 'Encre', lead: 'Lente' })
    await service.admin.patch(`word/${id}:en:published`, { lead: 'Fast' })
    const file = await exported('word')
    const xml = await readFile(file, 'utf8')
    expect([state(xml, 'title'), state(xml, 'lead')]).toEqual([
      '<segment state="translated"> target',
      '<segment state="initial"> target',
    ])
    // Meanwhile both are changed, here and there.
    await service.admin.patch(`word/${id}:fr:draft`, { title: 'L’encre', lead: 'Très lente' })
    await service.admin.patch(`word/${id}:en:published`, { lead: 'Faster', title: 'Ink' })
    const target = (text: string) => `<target xml:space="preserve">${text}</target>`
    const start = xml.indexOf(`original="word/${id}"`)
    const own = xml.slice(start).replace(target('Lente'), target('Rapide'))
    await writeFile(file, xml.slice(0, start) + own.replace(/(<unit [^>]*"body.*?<\/source>)/s, `$1${target('Riche')}`))
    const { documents, warned, refused } = await importTexts(operator(), file, () => {})
    expect([documents, refused]).toEqual([1, []])
    expect(warned).toEqual([
      {
        document: `word/${id}`,
        problems: [
          'lead: The text in en was changed since the export.',
          'lead: The text in fr was changed since the export; the imported one replaces it.',
          expect.stringMatching(/^body.*: These tags are missing: <p> <strong> <\/strong> <\/p>$/),
        ],
      },
    ])
    const texts = new Map((await textsIn(id, 'fr')) as [string, string][])
    expect([texts.get('title'), texts.get('lead')]).toEqual(['L’encre', 'Rapide'])

    const added = await exported('word')
    await service.admin.patch(`word/${id}:en:published`, { links: [...links, { label: 'Another' }] })
    await writeFile(added, (await readFile(added, 'utf8')).replace(target('Rapide'), target('Plus rapide')))
    const after = await importTexts(operator(), added, () => {})
    expect(after.warned).toEqual([{ document: `word/${id}`, problems: ['Texts were added in en since the export.'] }])
    await service.admin.patch(`word/${id}:en:published`, { links: [] })
    await writeFile(added, (await readFile(added, 'utf8')).replace(target('Plus rapide'), target('Vite')))
    const gone = await importTexts(operator(), added, () => {})
    expect(gone.warned[0]?.problems[0]).toMatch('was removed since the export.')
    await service.admin.delete(`word/${id}:en:published`)
  })

  test('several imports at once, beside editors who localize the same documents, write all texts', async () => {
    const ids: string[] = []
    for (let n = 0; n < 12; n += 1) {
      ids.push((await service.admin.post('live', { title: `Live ${n}` })).body.aposDocId)
    }
    const pages: string[] = []
    for (let n = 0; n < 6; n += 1) {
      const place = { type: 'leaf', _targetId: '_home', _position: 0 }
      pages.push((await service.admin.post('@cms/page', { title: `Page ${n}`, ...place })).body.aposDocId)
    }
    const files = [await exported(), await exported()]
    const [imported] = await Promise.all([
      Promise.all(files.map((file) => translated(file, (source) => `${source}!`))),
      ...ids.map((id) => service.editor.post(`live/${id}/localize`, { toLocale: 'fr' })),
    ])
    expect(imported.flatMap(({ refused }) => refused)).toEqual([])
    for (const id of [...ids, ...pages]) {
      const title = (await textsIn(id, 'fr'))?.find(([path]) => path === 'title')?.[1]
      expect(title).toMatch(/^(Live|Page) \d+!$/)
    }
  })

  test('nothing is published, of types that publish every save either', async () => {
    const { aposDocId: id } = (await service.admin.post('live', { title: 'Live' })).body
    const file = await exported('live')
    expect(await translated(file, (source) => `${source}!`)).toMatchObject({ documents: 1, refused: [] })
    expect((await service.admin.get(`live/${id}:fr:draft`)).body.title).toBe('Live!')
    expect((await service.admin.get(`live/${id}:fr:published`)).status).toBe(404)
  })

  test('what is fixed on a built-in page is not given to translators, and not imported', async () => {
    const file = await exported('leaf')
    const xml = await readFile(file, 'utf8')
    expect(xml).not.toContain('>News</source>')
    const id = (await service.admin.get('@cms/page', 'all=1&flat=1')).body.results.find(
      ({ slug }: { slug: string }) => slug === '/news',
    ).aposDocId
    const unit = '<unit id="u1" name="title"><segment><source>News</source><target>Nouvelles</target></segment></unit>'
    await writeFile(
      file,
      `${xliffHead({ ...LANGUAGES, to: 'fr' })}<file id="f" original="leaf/${id}">${unit}</file>${XLIFF_END}`,
    )
    const { refused } = await importTexts(operator(), file, () => {})
    expect(refused).toMatchObject([{ problems: ['title: This page is built in: its title is fixed.'] }])
  })

  test('what is no file is refused in plain words', async () => {
    await expect(importTexts(operator(), tmpdir(), () => {})).rejects.toThrow('is not a file')
    const options = { from: 'en', to: 'fr', type: undefined }
    await expect(exportTexts(operator(), tmpdir(), options, () => {})).rejects.toThrow('is not a file')
    const file = fileName()
    await writeFile(file, 'Mine.')
    await expect(exportTexts(operator(), file, options, () => {})).rejects.toThrow('is there already')
    expect(await readFile(file, 'utf8')).toBe('Mine.')
    for (const own of ['', `\uFEFF${xliffHead({ ...LANGUAGES, to: 'fr' })}`]) {
      await writeFile(file, own)
      await exportTexts(operator(), file, options, () => {})
      expect(await readFile(file, 'utf8')).toContain(XLIFF_END)
    }
  })

  test('a file that translates a language into itself is refused', async () => {
    const file = await exported('word')
    await writeFile(file, (await readFile(file, 'utf8')).replace('trgLang="fr"', 'trgLang="en"'))
    await expect(importTexts(operator(), file, () => {})).rejects.toThrow('into itself')
  })

  test('a document with mistakes is not written at all, and all of them are listed', async () => {
    const good = (await service.admin.post('word', { title: 'Good' })).body.aposDocId
    const bad = (await service.admin.post('word', { title: 'Bad', lead: 'Short', links: [{ label: 'Link' }] })).body
    const file = await exported('word')
    const long = 'x'.repeat(30)
    const xml = (await readFile(file, 'utf8')).replaceAll(`links.${bad.links[0]._id}.label`, 'links.gone.label')
    await writeFile(file, xml)
    const first = await translated(file, (source) => source)
    expect(first.refused).toMatchObject([
      { document: `word/${bad.aposDocId}`, problems: [expect.stringContaining('links.gone.label')] },
    ])
    const second = await translated(await exported('word'), (source) => (source === 'Short' ? long : source))
    expect(second.refused).toEqual([
      { document: `word/${bad.aposDocId}`, problems: ['lead: Use at most 20 characters.'] },
    ])
    expect([(await textsIn(good, 'fr'))?.[0], await textsIn(bad.aposDocId, 'fr')]).toEqual([['title', 'Good'], null])
  })
})
