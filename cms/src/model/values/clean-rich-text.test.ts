import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TOOLS } from '../terms/rich-text-tools.ts'
import { richTextPolicy, sanitize } from './clean-rich-text.ts'
import { plainText } from './html-text.ts'

const usual = richTextPolicy({}, [])
const all = richTextPolicy(
  {
    toolbar: [...TOOLS],
    styles: [{ tag: 'p', class: 'lead big' }, { tag: 'h2' }, { tag: 'div' }],
  },
  ['example.org', '*.cdn.example', 'localhost:3000'],
)

describe('§2.13 rich text is sanitised to what the options allow', () => {
  it.each([
    ['<h2>Hi</h2><p>Hello <strong>you</strong></p>', '<h2>Hi</h2><p>Hello <strong>you</strong></p>'],
    ['plain & simple', 'plain &amp; simple'],
    ['<a href="https://ok.test/?a=1&amp;b=2">x</a>', '<a href="https://ok.test/?a=1&amp;b=2">x</a>'],
    ['<a href="mailto:a@b.test">x</a><a href="tel:+1">y</a>', '<a href="mailto:a@b.test">x</a><a href="tel:+1">y</a>'],
    ['<p class="x" style="color:red" id="a">x</p>', '<p>x</p>'],
    ['<h1>x</h1><u>y</u><img src="/a.png">', 'xy'],
    ['<p>unclosed <b>words', '<p>unclosed <b>words</b></p>'],
  ])('%s', (html, expected) => {
    expect(sanitize(html, usual)).toBe(expected)
  })

  it('lets through exactly what toolbar and styles name', () => {
    const bold = richTextPolicy({ toolbar: ['bold'], styles: [{ tag: 'h2' }] }, [])
    expect(sanitize('<h2>a</h2><h3>b</h3><p><b>c</b><i>d</i><a href="/">e</a></p>', bold)).toBe(
      '<h2>a</h2>b<p><b>c</b>de</p>',
    )
    expect(sanitize('<p class="lead other" style="text-align:center;position:fixed;color:#fff">x</p>', all)).toBe(
      '<p class="lead" style="text-align:center;color:#fff">x</p>',
    )
    const centre = richTextPolicy({ toolbar: ['alignCenter'] }, [])
    expect(sanitize('<p style="text-align:right">x</p>', centre)).toBe('<p>x</p>')
  })
})

describe('§2.13 pictures in rich text come from this service and from hosts that the site names', () => {
  it.each([
    ['/api/v1/@cms/image/i/src', true],
    ['picture.png', true],
    ['?a=https://evil.example/', true],
    ['https://example.org/a.png', true],
    ['http://EXAMPLE.org:80/a.png', true],
    ['https://a.b.cdn.example/a.png', true],
    ['http://localhost:3000/a.png', true],
    ['https://cdn.example/a.png', false],
    ['https://sub.example.org/a.png', false],
    ['https://example.org.evil.example/a.png', false],
    ['https://example.org@evil.example/a.png', false],
    ['https://example.org:8080/a.png', false],
    ['https://evil.example/a.png', false],
    ['//evil.example/a.png', false],
    ['/\\evil.example/a.png', false],
    ['\\\\evil.example/a.png', false],
    ['/\t/evil.example/a.png', false],
    ['https:evil.example/a.png', false],
    ['\u0001//evil.example/a.png', false],
    ['https://[::1', false],
  ])('%j: %s', (src, isKept) => {
    const clean = sanitize(`<p>a<img src="${src}">b</p>`, all) ?? ''
    expect(clean.includes('<img')).toBe(isKept)
    expect(clean.replace(/<img[^>]*>/, '')).toBe('<p>ab</p>')
    expect(sanitize(clean, all)).toBe(clean)
  })
})

/** Attacks; none may leave a way to run a script. */
const ATTACKS = [
  '<script>alert(1)</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src="javascript:alert(1)">',
  '<img src="data:text/html,<script>1</script>">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVa\nScRiPt:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="jav&#x09;ascript:alert(1)">x</a>',
  '<a href="vbscript:x">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>',
  '<p onclick="alert(1)" onmouseover=alert(1)>x</p>',
  '<p/onclick=alert(1)>x</p>',
  '<svg><script>alert(1)</script></svg>',
  '<svg onload=alert(1)>',
  '<svg><animate attributeName=href values=javascript:1 /></svg>',
  '<math><mi xlink:href="javascript:1">x</mi></math>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<object data="javascript:1"></object><embed src="javascript:1">',
  '<form action="javascript:1"><button formaction="javascript:1">x</button></form>',
  '<meta http-equiv="refresh" content="0;url=javascript:1"><base href="javascript:1">',
  '<p style="background:url(javascript:1)">x</p>',
  '<p style="color:expression(alert(1))">x</p>',
  '<span style="color:#fff;}</style><script>1</script>">x</span>',
  '<style>@import "javascript:1"</style>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  '<title><img title="</title><img src=x onerror=alert(1)>"></title>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<xmp><img title="</xmp><img src=x onerror=alert(1)>">',
  '<table background="javascript:1"><td background="javascript:1">x</td></table>',
  '<a href="https://ok.test" ping="https://spy.test" style="x" onfocus=1 autofocus>x</a>',
  '<img src="x" srcset="javascript:1 1x" alt="&quot; onerror=&quot;alert(1)">',
  '"><script>alert(1)</script>',
  '<template><script>alert(1)</script></template>',
]

const TOKENS = [
  ...ATTACKS,
  ...'<p> </p> <b> </b> <ul> <li> </li> </ul> <table> <tr> <td> </td> <a> </a> <script> </script> <style> </style> <!-- -->'.split(
    ' ',
  ),
  ...'<noscript> </noscript> <select> <option> <svg> <math> <title> </title> <plaintext> <pre> </pre> <h2> </h2> <hr> <br/>'.split(
    ' ',
  ),
  ...[
    'x',
    '&lt;',
    '&amp;lt;',
    '<',
    '>',
    '"',
    "'",
    ' ',
    '&',
    '\u00a0',
    '<a href=/x?a=1&lt=2 target=_blank>',
    '<p class="lead x">',
  ],
]

const TAG = /<\/?([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*\/?>/g
const TAGS = new Set(all.allowedTags || [])
const NAMES = new Set(
  'href target rel title id name download style class start reversed src alt width height colspan rowspan colwidth scope'.split(
    ' ',
  ),
)

function dangersIn(html: string): string[] {
  const dangers: string[] = []
  const text = html.replace(TAG, (_tag, name: string, attributes: string) => {
    if (!TAGS.has(name)) dangers.push(name)
    for (const [, attribute = '', value = ''] of attributes.matchAll(/([a-z-]+)(?:="([^"]*)")?/g)) {
      if (!NAMES.has(attribute)) dangers.push(attribute)
      const isAddress = attribute === 'href' || attribute === 'src'
      if (isAddress && /^(?!https?:|mailto:|tel:)[^/?#]*:/i.test(value)) dangers.push(value)
      if (attribute === 'style' && !/^(?:text-align:[a-z]+|color:[\w#(),.% /-]+|;)*$/.test(value)) dangers.push(value)
    }
    return ''
  })
  return /[<>]/.test(text) ? [...dangers, text] : dangers
}

describe('§2.13 nothing in rich text runs', () => {
  it.each(ATTACKS)('%s', (html) => {
    expect(dangersIn(sanitize(html, usual) ?? '')).toEqual([])
    expect(dangersIn(sanitize(html, all) ?? '')).toEqual([])
  })

  it('whatever is put together of them; and sanitising twice is sanitising once', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...TOKENS), { maxLength: 12 }), (tokens) => {
        const clean = sanitize(tokens.join(''), all) ?? ''
        expect(dangersIn(clean)).toEqual([])
        expect(sanitize(clean, { ...all })).toBe(clean)
      }),
      { numRuns: 3000 },
    )
  })

  it('is refused when elements are nested too deeply', () => {
    expect(sanitize('<b>'.repeat(300_000), usual)).toBe(null)
    expect(sanitize('<b><!--</b>-->'.repeat(1000), usual)).toBe(null)
    expect(sanitize('<p>one<p>two'.repeat(1000), usual)).toBe('<p>one</p><p>two</p>'.repeat(1000))
  })
})

describe('§4.1 the words of rich text', () => {
  it.each([
    ['', ''],
    ['<p>One</p><p>Two <b>bo</b>ld &amp; <i>more</i></p>', 'One\nTwo bold & more'],
    ['<ul><li>a</li><li>b</li></ul>c<br>d', 'a\nb\nc\nd'],
    ['  <p> spaced \n\n out </p> ', 'spaced\nout'],
    ['<p>x</p><script>hidden</script><style>hidden</style>', 'x'],
  ])('%j', (html, expected) => {
    expect(plainText(html)).toBe(expected)
  })

  it('of elements that lie too deep in one another is what stands between tags', () => {
    const html = `<p>One</p>${'<b>'.repeat(200_000)}two<script>three</script>`
    expect(plainText(html)).toBe('One two three')
  })

  it('is the same of long texts, wherever they are cut to be parsed', () => {
    for (let length = 1990; length < 2010; length += 1) {
      const start = 'x'.repeat(length)
      expect(plainText(`<p>${start}</p><p>a &amp; b</p><br>😀 c`)).toBe(`${start}\na & b\n😀 c`)
    }
  })
})

it('§2.13 references in texts and attributes are those of what was written, however often it is sanitized', () => {
  const policy = richTextPolicy({ toolbar: ['link', 'bold'] }, [])
  for (const [html, clean] of [
    [
      '<p>a & b &amp; c &lt;d&gt; &amp;lt; &amp;amp; > e</p>',
      '<p>a &amp; b &amp; c &lt;d&gt; &amp;lt; &amp;amp; &gt; e</p>',
    ],
    ['<p>&lt;script&gt;x&lt;/script&gt;<b>&</b></p>', '<p>&lt;script&gt;x&lt;/script&gt;<b>&amp;</b></p>'],
    ['<a href="/a?b=1&amp;c=>&quot;">&</a>', '<a href="/a?b=1&amp;c=&gt;&quot;">&amp;</a>'],
    ['<p>\uE000 & \uE001 &lt; \uE002</p>', '<p>\uE000 &amp; \uE001 &lt; \uE002</p>'],
    ['<i><p>&</p></i>&lt;i>', '<p>&amp;</p>&lt;i&gt;'],
  ] as const) {
    expect(sanitize(html, policy)).toBe(clean)
    expect(sanitize(clean, policy)).toBe(clean)
  }
})
