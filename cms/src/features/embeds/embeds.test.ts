import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { testDatabases } from '../../../test/databases.ts'
import { type SecureServer, secureServer } from '../../../test/secure-server.ts'
import { describeService, type Service } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site.ts'

const VIDEO = {
  type: 'video',
  title: 'Ebb & "flow"',
  author_name: 'Ann',
  width: 640,
  height: 360,
  thumbnail_url: 'https://images.example.org/1.jpg',
  cache_age: 1,
  html: '<iframe src="https://frames.example.org/1?a=1&amp;b=2" onload="alert(1)" width="1"></iframe><script>alert(1)</script>',
}
const FRAME =
  '<iframe src="https://frames.example.org/1?a=1&amp;b=2" title="Ebb &amp; &quot;flow&quot;" width="640" height="360" ' +
  'loading="lazy" allow="encrypted-media; fullscreen; picture-in-picture" allowfullscreen ' +
  'referrerpolicy="strict-origin-when-cross-origin" sandbox="allow-forms allow-popups ' +
  'allow-popups-to-escape-sandbox allow-presentation allow-same-origin allow-scripts"></iframe>'

const json = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value))
const framed = (html: string) => (response: ServerResponse) => json(response, { ...VIDEO, html })

/** The provider's answers, by the last part of an address. */
const ANSWERS: { readonly [name: string]: (response: ServerResponse) => void } = {
  'no-such-video': (response) => json(response, {}, 404),
  'not-for-you': (response) => json(response, {}, 401),
  link: (response) => json(response, { type: 'link', title: 'A page' }),
  text: (response) => json(response, 'a text'),
  'no-frame': framed('<script src="https://frames.example.org/1.js"></script>'),
  'frame-of-another': framed('<iframe src="https://elsewhere.example/1"></iframe>'),
  'frame-over-http': framed('<iframe src="http://frames.example.org/1"></iframe>'),
  'frame-with-script': framed('<iframe src="javascript:alert(1)//frames.example.org"></iframe>'),
  'frame-without-src': framed('<iframe srcdoc="<script>alert(1)</script>"></iframe>'),
  'frame-with-password': framed('<iframe src="https://frames.example.org:x@elsewhere.example/"></iframe>'),
  'much-html': framed(`${'<b>'.repeat(3000)}<iframe src="https://frames.example.org/1"></iframe>`),
  busy: (response) => json(response, {}, 429),
  broken: (response) => json(response, {}, 500),
  page: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(JSON.stringify(VIDEO)),
  'not-json': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"type":'),
  compressed: (response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('x'),
  long: (response) => json(response, { ...VIDEO, more: 'x'.repeat(65 * 1024) }),
  endless: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = () => !response.destroyed && response.write(' '.repeat(16 * 1024), more)
    more()
  },
  silent: () => {},
  'slow-body': (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
  'cut-off': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{}')
    response.destroy()
  },
  here: (response) => response.writeHead(302, { location: '/oembed?url=https://video.example.org/w/1' }).end(),
  elsewhere: (response) => response.writeHead(302, { location: `${other.address}/oembed` }).end(),
  'plain-http': (response) => response.writeHead(302, { location: provider.address.replace('https', 'http') }).end(),
  'in-circles': (response) =>
    response.writeHead(302, { location: '/oembed?url=https://video.example.org/w/in-circles' }).end(),
  photo: (response) =>
    json(response, { type: 'photo', url: 'https://frames.example.org/p.jpg', width: '300', height: 200 }),
  'photo-of-another': (response) => json(response, { type: 'photo', url: 'https://elsewhere.example/p.jpg' }),
  'bare-frame': (response) =>
    json(response, { type: 'rich', width: '100%', html: '<p><IFRAME SRC="//frames.example.org/x" height=80>' }),
}

const provider: SecureServer = await secureServer(async (url, response) => {
  const name = url.searchParams.get('url')?.split('/').at(-1) ?? ''
  if (name.startsWith('slow')) await setTimeout(100)
  const answer = ANSWERS[name] ?? ((response: ServerResponse) => json(response, VIDEO))
  answer(response)
})
const other: SecureServer = await secureServer((_, response) => json(response, VIDEO))
afterAll(async () => {
  await other.close()
  await provider.close()
})

const local = {
  name: 'Local',
  urls: ['https://video.example.org/w/*', 'https://*.tube.example.org/one'],
  endpoint: `${provider.address}/oembed?key=1`,
  hosts: ['frames.example.org'],
}
const networks = ['127.0.0.0/8', '::1/128']
const site = defineSite({ embeds: { providers: [local] } })
const query = (url: string) => `url=${encodeURIComponent(url)}`
const video = (name: string) => query(`https://video.example.org/w/${name}`)
const requestsFor = (name: string) => provider.requests.filter((path) => path.includes(`%2Fw%2F${name}`)).length
const on = testDatabases.slice(0, 1)

describeService('§4.8 embeds', { site, on, embedNetworks: networks }, (service) => {
  const ask = (query: string) => service.anonymous.get('@cms/oembed/query', query)

  test('§4.8 anyone gets the embed of an address: one frame, and nothing that a provider could run', async () => {
    expect(await ask(video('1'))).toMatchObject({
      status: 200,
      body: {
        type: 'video',
        version: '1.0',
        provider_name: 'Local',
        title: 'Ebb & "flow"',
        author_name: 'Ann',
        width: 640,
        height: 360,
        thumbnail_url: 'https://images.example.org/1.jpg',
        html: FRAME,
      },
    })
    expect(provider.requests.at(-1)).toBe('/oembed?key=1&url=https%3A%2F%2Fvideo.example.org%2Fw%2F1&format=json')
  })

  test('§4.8 a photo is one image, and what a provider leaves out is left out', async () => {
    const { body } = await ask(video('photo'))
    expect(body.html).toBe(
      '<img src="https://frames.example.org/p.jpg" alt="Local" width="300" height="200" loading="lazy" decoding="async">',
    )
    const bare = (await ask(video('bare-frame'))).body
    expect(bare).toEqual({
      type: 'rich',
      version: '1.0',
      provider_name: 'Local',
      height: 80,
      html: expect.stringContaining('<iframe src="https://frames.example.org/x" title="Local" height="80" loading='),
    })
  })

  test('§4.8 each address is fetched once, for however many callers, and http and fragments are the same address', async () => {
    const slow = Array.from({ length: 20 }, () => ask(video('slow-1')))
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(slow.map(() => 200))
    expect((await ask(query('http://video.example.org/w/slow-1#t=3'))).status).toBe(200)
    expect(requestsFor('slow-1')).toBe(1)
    expect((await ask(video('no-such-video'))).status).toBe(404)
    expect((await ask(video('no-such-video'))).status).toBe(404)
    expect(requestsFor('no-such-video')).toBe(1)
  })

  test('§4.8 what is no address of a known provider is invalid, and nothing is fetched', async () => {
    const before = provider.requests.length
    const wrong = [
      '',
      'url=',
      'url[]=https://video.example.org/w/1',
      query('words'),
      query('//video.example.org/w/1'),
      query('https://video.example.org/\nw/1'),
      query('https://video.exam\tple.org/w/1'),
      query('javascript:alert(1)'),
      query('ftp://video.example.org/w/1'),
      query('file:///etc/passwd'),
      query('https://video.example.org/other/1'),
      query('https://video.example.org:8443/w/1'),
      query('https://video.example.org.elsewhere.example/w/1'),
      query('https://video.example.org@elsewhere.example/w/1'),
      query('https://me:pass@video.example.org/w/1'),
      query('https://tube.example.org/one'),
      query('https://a.tube.example.org/one/more'),
      query('https://atube.example.org/one'),
      query(`https://video.example.org/w/${'x'.repeat(2000)}`),
      query('http://127.0.0.1/'),
      query('http://[::1]:22/'),
    ]
    for (const one of wrong) {
      expect({ one, ...(await ask(one)) }).toMatchObject({ one, status: 400, body: { name: 'invalid' } })
    }
    expect(provider.requests.length).toBe(before)
    expect((await ask(query('https://a.tube.example.org/one'))).status).toBe(200)
  })

  test.each([
    'not-for-you',
    'link',
    'text',
    'no-frame',
    'frame-of-another',
    'frame-over-http',
    'frame-with-script',
    'frame-without-src',
    'frame-with-password',
    'much-html',
    'photo-of-another',
  ])('§4.8 there is nothing to show when a provider answers: %s', async (name) => {
    expect(await ask(video(name))).toMatchObject({ status: 404, body: { name: 'notfound' } })
    expect(requestsFor(name)).toBe(1)
  })

  test.each([
    'busy',
    'broken',
    'page',
    'not-json',
    'compressed',
    'long',
    'endless',
    'silent',
    'slow-body',
    'cut-off',
    'elsewhere',
    'plain-http',
    'in-circles',
  ])('§4.8 a provider is unavailable that answers: %s', async (name) => {
    const answer = await ask(video(name))
    expect(answer).toMatchObject({ status: 503, body: { name: 'unavailable' } })
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(requestsFor(name)).toBeGreaterThan(0)
    expect(other.connections()).toBe(0)
  })

  test('§4.8 a redirect within the known providers is followed', async () => {
    expect(await ask(video('here'))).toMatchObject({ status: 200, body: { html: FRAME } })
  })

  test('§4.8 all anonymous callers together cause at most 120 requests to providers in a minute, contributors more often', async () => {
    const answers: number[] = []
    for (let index = 0; index < 121; index += 1) answers.push((await ask(video(`many-${index}`))).status)
    expect(answers[0]).toBe(200)
    const refused = await ask(video('one-more'))
    expect(refused).toMatchObject({ status: 429, body: { name: 'toomany' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(requestsFor('one-more')).toBe(0)
    expect((await service.guest.get('@cms/oembed/query', video('one-more'))).status).toBe(429)
    expect((await ask(video('many-0'))).status).toBe(200)
    expect((await service.contributor.get('@cms/oembed/query', video('one-more'))).status).toBe(200)
    expect((await ask(video('one-more'))).status).toBe(200)
  })
})

const PRIVATE = ['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433', '[::]', '[::7f00:1]']
const hidden = PRIVATE.map((host, index) => ({
  ...local,
  urls: [`https://video.example.org/w/${index}`],
  endpoint: `https://${host}:${provider.port}/oembed`,
}))

describeService(
  '§4.8 embeds of private addresses',
  { site: defineSite({ embeds: { providers: hidden } }), on },
  (service: Service) => {
    test.each(PRIVATE.map((host, index) => [host, index] as const))(
      '§4.8 no connection is made to %s, unless the machine allows its network',
      async (_, index) => {
        const before = provider.connections()
        const answer = await service.contributor.get('@cms/oembed/query', video(String(index)))
        expect(answer).toMatchObject({ status: 503, body: { name: 'unavailable' } })
        expect(before).toBeGreaterThan(0)
        expect(provider.connections()).toBe(before)
      },
    )
  },
)
