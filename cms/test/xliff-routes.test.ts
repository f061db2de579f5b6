import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { defineSite } from '../src/model/compile/site-options.ts'
import { page, piece } from '../src/model/declared/content-type.ts'
import type { UploadAnswer } from './media.ts'
import { describeService } from './service.ts'

const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  limits: { uploadBytes: 200_000 },
  types: [
    piece('word', {
      fields: {
        add: {
          lead: { type: 'string', max: 20 },
          note: { type: 'string', editPermission: 'admin' },
          secret: { type: 'string', viewPermission: 'admin' },
          body: { type: 'area', widgets: { '@cms/rich-text': {} } },
          _plans: { type: 'relationship', withType: 'plan', fields: { add: { why: { type: 'string' } } } },
        },
      },
    }),
    piece('law', { editRole: 'admin' }),
    piece('plan', { viewRole: 'admin' }),
    piece('frail', {
      hooks: {
        beforeSave({ title }) {
          if (title === 'Bad!') throw new Error('A bug of the site.')
        },
      },
    }),
    page('leaf'),
  ],
})

type Role = 'guest' | 'contributor' | 'editor' | 'admin' | 'ai'

describeService('§4.5 XLIFF over HTTP', { site, isLong: true }, (service) => {
  const address = () => `${service.address}/api/v1/@cms/xliff`
  const as = (role: Role | null) => (role === null ? {} : { authorization: `ApiKey key-${role}` })
  const read = async (query: string, role: Role | null = 'editor') => {
    const response = await fetch(`${address()}?from=en&to=fr&${query}`, { headers: as(role) })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, text, message: isJson ? JSON.parse(text).message : '' }
  }
  const send = async (
    text: string | Uint8Array<ArrayBuffer>,
    query = '',
    role: Role | null = 'editor',
  ): Promise<UploadAnswer> => {
    const body = new FormData()
    body.append('file', new Blob([text]), 'fr.xlf')
    const response = await fetch(`${address()}?${query}`, { method: 'POST', headers: as(role), body })
    return { status: response.status, body: await response.json() }
  }
  /** Gives every text of a document a translation. */
  const translate = (xml: string, of: (source: string) => string) =>
    xml.replaceAll(
      /(<source[^>]*>)(.*?)<\/source>(?:<target[^>]*>.*?<\/target>)?/gs,
      (_, start, source) => `${start}${source}</source><target xml:space="preserve">${of(source)}</target>`,
    )
  const newWord = async (values: object) => (await service.admin.post('word', { title: 'Ink', ...values })).body
  const french = async (id: string) => (await service.admin.get(`word/${id}:fr:draft`)).body
  const leftOver = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('quire-upload-'))

  test('texts go out as a file and come back as drafts; a check writes nothing and says what would change', async () => {
    const { aposDocId: id } = await newWord({ lead: 'Slow', body: '<p>Rich <strong>text</strong></p>' })
    const other = await newWord({ title: 'Other' })
    const file = await read(`_ids=${id}`)
    expect(file.status).toBe(200)
    expect(file.headers.get('content-type')).toBe('application/xliff+xml; charset=utf-8')
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="texts-en-fr.xlf"')
    expect(file.headers.get('cache-control')).toBe('no-store')
    expect(file.text).toContain(`original="word/${id}"`)
    expect(file.text).not.toContain(other.aposDocId)
    expect((await read('types=word')).headers.get('content-disposition')).toContain('filename="word-en-fr.xlf"')

    const translated = translate(file.text, (source) => `${source}!`)
    const check = await send(translated, 'check=1')
    expect(check.body).toMatchObject({ isCheck: true, from: 'en', to: 'fr', total: 1, documents: 1, texts: 3, left: 0 })
    expect(check.body.results).toMatchObject([
      { type: 'word', aposDocId: id, _id: `${id}:fr:draft`, title: 'Ink', isChanged: true, isNew: true, replaced: [] },
    ])
    expect((await service.admin.get(`word/${id}:fr:draft`)).status).toBe(404)

    const imported = await send(translated)
    expect(imported.body).toMatchObject({ isCheck: false, documents: 1, refused: 0, texts: 3 })
    expect(imported.body).not.toHaveProperty('confirmation')
    expect(await french(id)).toMatchObject({ title: 'Ink!', lead: 'Slow!', modified: true })
    expect((await service.admin.get(`word/${id}:fr:published`)).status).toBe(404)
    expect((await send(translated)).body).toMatchObject({ documents: 0, results: [] })
    const versions = await service.admin.get('@cms/document-versions', `docId=${id}&aposLocale=fr`)
    expect(versions.body.results[0].ai).not.toBe(true)
    expect(await leftOver()).toEqual([])
  })

  test('a translation is replaced only when a check has told so, and as it told it', async () => {
    const { aposDocId: id } = await newWord({ lead: 'Slow' })
    await service.admin.post(`word/${id}/localize`, { toLocale: 'fr' })
    const { text } = await read(`_ids=${id}`)
    const file = translate(text, (source) => `${source}!`)
    await service.admin.patch(`word/${id}:fr:draft`, { title: 'Encre', lead: 'Lente' })
    const plain = await send(file)
    expect(plain.body).toMatchObject({ documents: 0, replaced: 0 })
    expect(plain.body.results[0].warnings).toEqual([
      {
        path: 'title',
        message: 'There is another text in fr, which was kept.',
        advice: expect.stringContaining('check the file'),
      },
      expect.objectContaining({ path: 'lead' }),
    ])
    expect(await french(id)).toMatchObject({ title: 'Encre', lead: 'Lente' })

    const check = await send(file, 'check=1')
    const [told] = check.body.results
    expect(check.body.replaced).toBe(2)
    expect(told.replaced).toEqual([
      { path: 'title', label: 'Title', before: 'Encre', after: 'Ink!', isChanged: true },
      { path: 'lead', label: 'Lead', before: 'Lente', after: 'Slow!', isChanged: true },
    ])
    await service.admin.patch(`word/${id}:fr:draft`, { lead: 'Très lente' })
    const late = await send(file, `confirmation=${check.body.confirmation}`)
    expect(late).toMatchObject({ status: 409, body: { message: expect.stringContaining('Check the file again') } })
    expect(await french(id)).toMatchObject({ title: 'Encre', lead: 'Très lente' })

    const again = await send(file, 'check=1')
    const done = await send(file, `confirmation=${again.body.confirmation}`)
    expect(done.body).toMatchObject({ documents: 1, replaced: 2 })
    expect(await french(id)).toMatchObject({ title: 'Ink!', lead: 'Slow!' })
  })

  test('originals that were changed meanwhile are told, with what to do', async () => {
    const { aposDocId: id } = await newWord({ lead: 'Slow' })
    const { text } = await read(`_ids=${id}`)
    await service.admin.patch(`word/${id}:en:draft`, { lead: 'Fast' })
    const { body } = await send(translate(text, (source) => `${source}!`))
    expect(body.results[0].warnings).toEqual([
      {
        path: 'lead',
        message: 'The text in en was changed since the export.',
        advice: 'Compare the translation with the new text before you publish it.',
      },
    ])
  })

  test('only what has no translation, or an outdated one, goes out on request', async () => {
    const done = (await newWord({ title: 'Done' })).aposDocId
    const open = (await newWord({ title: 'Open' })).aposDocId
    await send(translate((await read(`_ids=${done}`)).text, (source) => `${source}!`))
    const { text } = await read('types=word&untranslated=1')
    expect(text).toContain(open)
    expect(text).not.toContain(done)
    expect((await read(`_ids=${done}&untranslated=1`)).message).toMatch('There is nothing to translate')
  })

  test('callers below editors are refused, and nothing of their file is read', async () => {
    for (const [role, status] of [
      [null, 401],
      ['guest', 403],
      ['contributor', 403],
    ] as const) {
      expect((await read('', role)).status).toBe(status)
      expect((await send('<xliff/>', '', role)).status).toBe(status)
    }
  })

  test('types, fields and documents that a caller may not edit stay out of the file, and are not written', async () => {
    const { aposDocId: planId } = (await service.admin.post('plan', { title: 'Plan' })).body
    const { aposDocId: lawId } = (await service.admin.post('law', { title: 'Law' })).body
    const { aposDocId: id } = await newWord({
      note: 'Aside',
      secret: 'Hidden',
      plansIds: [planId],
      plansFields: { [planId]: { why: 'Because' } },
    })
    const { text } = await read('')
    for (const hidden of ['Aside', 'Hidden', 'Because', planId, lawId]) expect(text).not.toContain(hidden)
    const whole = (await read('', 'admin')).text
    for (const shown of ['Aside', 'Hidden', 'Because', `plan/${planId}`, `law/${lawId}`]) expect(whole).toContain(shown)
    expect((await read('types=law')).status).toBe(403)
    expect((await read('types=plan')).message).toBe((await read('types=plam')).message.replace('plam', 'plan'))
    expect((await read(`_ids=${planId}`)).message.replace(planId, 'none')).toBe((await read('_ids=none')).message)

    const { body } = await send(translate(whole, (source) => `${source}!`))
    const problemsOf = (docId: string) => body.results.find((one: { aposDocId: string }) => one.aposDocId === docId)
    expect(problemsOf(planId)).toMatchObject({ title: '', problems: [{ message: 'The site has no such document.' }] })
    expect(problemsOf(lawId)).toMatchObject({ problems: [{ message: expect.stringContaining('Your role') }] })
    const refused = problemsOf(id).problems.map(({ path }: { path: string }) => path)
    expect(refused).toEqual(['note', 'secret', `_plans.${planId}.why`])
    expect((await service.admin.get(`word/${id}:fr:draft`)).status).toBe(404)
  })

  test('what a file claims of hidden texts is not confirmed', async () => {
    const { aposDocId: id } = await newWord({ secret: 'Hidden' })
    const { text } = await read(`_ids=${id}`)
    const guess = (secret: string) =>
      text.replace('</file>', `<unit id="x" name="secret"><segment><source>${secret}</source></segment></unit></file>`)
    const answers = await Promise.all(
      ['Hidden', 'Other'].map(async (secret) => {
        const { body } = await send(
          translate(guess(secret), (source) => `${source}!`),
          'check=1',
        )
        return JSON.stringify(body.results).replaceAll(secret, '')
      }),
    )
    expect(answers[0]).toBe(answers[1])
  })

  test('AI is marked, by its key or on request', async () => {
    const ids = [(await newWord({})).aposDocId, (await newWord({})).aposDocId]
    const files = await Promise.all(ids.map(async (id) => translate((await read(`_ids=${id}`)).text, () => 'Encre')))
    await send(files[0] ?? '', '', 'ai')
    await send(files[1] ?? '', '_ai=1')
    for (const id of ids) {
      const { body } = await service.admin.get('@cms/document-versions', `docId=${id}&aposLocale=fr`)
      expect(body.results[0]).toMatchObject({ ai: true })
    }
  })

  test('a check of pages brings those above along, as the import does', async () => {
    const place = { type: 'leaf', _targetId: '_home', _position: 'lastChild' }
    const parent = (await service.admin.post('@cms/page', { title: 'Parent', ...place })).body
    const child = (await service.admin.post('@cms/page', { title: 'Child', ...place, _targetId: parent._id })).body
    const file = translate(
      (await read(`_ids=${parent.aposDocId}&_ids=${child.aposDocId}`)).text,
      (source) => `${source}!`,
    )
    expect((await send(file, 'check=1')).body).toMatchObject({ documents: 2, refused: 0 })
    expect((await service.admin.get(`@cms/page/${parent.aposDocId}`, 'aposLocale=fr:draft')).status).toBe(404)
    expect((await send(file)).body).toMatchObject({ documents: 2, refused: 0 })
    const { body } = await service.admin.get(`@cms/page/${child.aposDocId}`, 'aposLocale=fr:draft')
    expect([body.title, body._ancestors.at(-1).title]).toEqual(['Child!', 'Parent!'])
  })

  test('a document that fails by a bug is told, and the others are imported', async () => {
    for (const title of ['Bad', 'Good']) await service.admin.post('frail', { title })
    const { body } = await send(translate((await read('types=frail')).text, (source) => `${source}!`))
    expect(body).toMatchObject({ documents: 1, refused: 1 })
    const problems = body.results.flatMap((one: { problems: object[] }) => one.problems)
    expect(problems).toMatchObject([
      { message: expect.stringContaining('log'), advice: expect.stringContaining('again') },
    ])
    expect(JSON.stringify(body)).not.toContain('A bug of the site')
    expect(service.logged.filter(({ level }) => level === 'error')).toHaveLength(1)
  })

  test('hostile markup is cleaned as in any rich text, and told as text', async () => {
    const { aposDocId: id } = await newWord({ body: '<p>Rich</p>' })
    const { text } = await read(`_ids=${id}`)
    const data = '<data id="d9">&lt;script>alert(1)&lt;/script>&lt;img src=x onerror=alert(1)></data>'
    const file = text
      .replace('</originalData>', `${data}</originalData>`)
      .replace(/(<source[^>]*>)(<pc.*?)<\/source>/s, '$1$2</source><target>$2<ph id="9" dataRef="d9"/></target>')
    expect((await send(file)).body).toMatchObject({ documents: 1 })
    expect((await french(id)).body.items[0].content).toBe('<p>Rich</p>')
  })

  test.each([
    ['', 'is empty'],
    ['<xliff', 'not well formed'],
    ['<!DOCTYPE x [<!ENTITY a "aaa">]><xliff/>', 'document type'],
    ['<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"/>', 'Save it as XLIFF 2'],
    ['<p>No</p>', 'not XLIFF 2'],
    ['<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="xx"/>', 'It has en, fr'],
    ['<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="en"/>', 'into itself'],
    [
      `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="fr">${'<file>'.repeat(300)}`,
      'too deeply',
    ],
  ])('%.60s is refused, and leaves no file', async (text, message) => {
    for (const query of ['', 'check=1']) {
      const answer = await send(text, query)
      expect(answer).toMatchObject({
        status: 400,
        body: { name: 'invalid', message: expect.stringContaining(message) },
      })
    }
    expect(await leftOver()).toEqual([])
  })

  test('a file in another encoding, or that is too large or has too many documents, is refused', async () => {
    expect((await send(Uint8Array.from([0xff, 0xfe, 0x3c, 0x00]))).body.message).toMatch('UTF-8')
    expect(await send('x'.repeat(300_000))).toMatchObject({ status: 413 })
    const start = '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="fr">'
    const many = `${start}${'<file original="word/x"/>'.repeat(2001)}</xliff>`
    expect((await send(many)).body.message).toMatch('more than 2000 documents')
    const body = JSON.stringify({})
    const json = await fetch(address(), {
      method: 'POST',
      headers: { ...as('editor'), 'content-type': 'application/json' },
      body,
    })
    expect(json.status).toBe(400)
  })

  test('what is not of this site, or comes twice, is listed with what to do', async () => {
    const { aposDocId: id } = await newWord({ lead: 'Slow' })
    const { text } = await read(`_ids=${id}`)
    const file = translate(text, (source) => `${source}!`)
    const elsewhere = await send(file.replaceAll(id, 'fromAnotherSite'))
    expect(elsewhere.body).toMatchObject({ documents: 0, refused: 1 })
    expect(elsewhere.body.results[0].problems[0]).toMatchObject({ advice: expect.stringContaining('another site') })
    const unit = /<unit .*?<\/unit>/s.exec(file)?.[0] ?? ''
    const twice = await send(file.replace(unit, unit + unit), 'check=1')
    expect(twice.body.results[0].problems[0].message).toMatch('twice')
    const whole = /<file .*<\/file>/s.exec(file)?.[0] ?? ''
    const repeated = await send(file.replace(whole, whole + whole))
    expect(repeated.body).toMatchObject({ documents: 1, refused: 1, total: 2 })
    const other = await read(`_ids=${(await newWord({ lead: 'Slow' })).aposDocId}`)
    const long = await send(translate(other.text, () => 'x'.repeat(30)))
    expect(long.body.results[0].problems[0]).toMatchObject({ path: 'lead', message: 'Use at most 20 characters.' })
    expect(await french(id)).toMatchObject({ lead: 'Slow!' })
  })

  test.each([
    ['from=xx', 'from must be one of'],
    ['to=en', 'two locales'],
    ['types=nothing', 'nothing is none'],
    ['_ids=a', 'Leave them out'],
  ])('an export of %s says what is wrong', async (query, message) => {
    const names = new URLSearchParams(query)
    const response = await fetch(
      `${address()}?${new URLSearchParams({ from: 'en', to: 'fr', ...Object.fromEntries(names) })}`,
      {
        headers: as('editor'),
      },
    )
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ message: expect.stringContaining(message) })
  })
})
