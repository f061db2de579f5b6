import { gzipSync } from 'node:zlib'
import type { HostileFile } from './hostile-file.ts'

const DRAWN = '<rect id="kept" width="10" height="10"/>'
const IS = { extension: 'svg', width: 20, height: 10 }

/** An SVG of these insides, with what is drawn after them. */
function svg(inside: string, attributes = ''): string {
  const spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
  return `<svg ${spaces} viewBox="0 0 20 10" ${attributes}>${inside}${DRAWN}</svg>`
}

const INSIDES: { readonly [title: string]: string } = {
  'a script': '<script>alert(1)</script>',
  'a script from elsewhere': '<script href="https://evil.example/x.js"/>',
  'a script with a prefix': '<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>',
  'a script of HTML': '<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>',
  'a script in CDATA': '<script><![CDATA[alert(1)]]></script>',
  'a script in upper case': '<SCRIPT>alert(1)</SCRIPT>',
  'a script within what is left out': '<foo><script>alert(1)</script></foo>',
  'a script written as text': '<text>&lt;script&gt;alert(1)&lt;/script&gt;</text>',
  'HTML in foreignObject':
    '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="alert(1)"/></foreignObject>',
  'an iframe': '<iframe xmlns="http://www.w3.org/1999/xhtml" src="https://evil.example"/>',
  'a handler': '<rect onclick="alert(1)" width="1" height="1"/>',
  'a handler in mixed case': '<rect OnClick="alert(1)" width="1" height="1"/>',
  'a handler of a namespace': '<rect xmlns:e="http://www.w3.org/2001/xml-events" e:onclick="alert(1)"/>',
  'a listener': '<listener xmlns="http://www.w3.org/2001/xml-events" event="click" handler="#x"/>',
  'a handler element': '<handler type="application/ecmascript" event="load">alert(1)</handler>',
  'a link to a script': '<a href="javascript:alert(1)"><text>x</text></a>',
  'an xlink to a script': '<a xlink:href="javascript:alert(1)"><text>x</text></a>',
  'a link to a script in entities': '<a href="&#106;avascript&#58;alert(1)"><text>x</text></a>',
  'a link to a script with tabs': '<a href=" java&#9;script:alert(1)"><text>x</text></a>',
  'an xlink of another prefix':
    '<a xmlns:q="http://www.w3.org/1999/xlink" q:href="javascript:alert(1)"><text>x</text></a>',
  'a link elsewhere': '<a href="https://evil.example"><text>x</text></a>',
  'use of another file': '<use href="https://evil.example/x.svg#a"/>',
  'use of data': '<use href="data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=#x"/>',
  'an image from elsewhere': '<image href="https://evil.example/x.png" width="9" height="9"/>',
  'an image without a scheme': '<image xlink:href="//evil.example/x.png" width="9" height="9"/>',
  'an image of HTML': '<image href="data:text/html;base64,PHNjcmlwdD4=" width="9" height="9"/>',
  'an image of SVG': '<image href="data:image/svg+xml;base64,PHN2Zz4=" width="9" height="9"/>',
  'a filter with an image from elsewhere': '<filter id="f"><feImage href="https://evil.example/x.png"/></filter>',
  'an animation of a link':
    '<a><text>x</text><animate attributeName="href" to="javascript:alert(1)" begin="0s" dur="1s"/></a>',
  'a set link': '<a><text>x</text><set attributeName="xlink:href" to="javascript:alert(1)"/></a>',
  'a set handler': '<rect><set attributeName="onmouseover" to="alert(1)"/></rect>',
  'a style that imports': '<style>@import url(https://evil.example/x.css);</style>',
  'a style that imports without url': '<style>@import "https://evil.example/x.css";</style>',
  'a style that imports in CDATA': '<style><![CDATA[@import "//evil.example/x.css";]]></style>',
  'a style with a font from elsewhere': '<style>@font-face{font-family:x;src:url(https://evil.example/f)}</style>',
  'a style with a background from elsewhere': '<style>rect{background:url("https://evil.example/x.png")}</style>',
  'a style with an image set': '<style>rect{background:image-set("https://evil.example/x.png" 1x)}</style>',
  'a style with escapes': '<style>rect{fill:u\\72l(https://evil.example/x.svg#a)}</style>',
  'a style with an escaped import': '<style>@\\69mport "https://evil.example/x.css";</style>',
  'a style with comments in words': '<style>rect{fill:ur/**/l(https://evil.example/x)}</style>',
  'a style with an expression': '<style>rect{width:expression(alert(1))}</style>',
  'a style with a binding': '<style>rect{-moz-binding:url(https://evil.example/x.xml#a)}</style>',
  'a style that ends itself': '<style>rect{fill:red}&lt;/style>&lt;script>alert(1)&lt;/script></style>',
  'a style attribute from elsewhere': '<rect style="fill:url(https://evil.example/x.svg#a)"/>',
  'a fill from elsewhere': '<rect fill="url(https://evil.example/x.svg#a)"/>',
  'a cursor from elsewhere': '<rect cursor="url(https://evil.example/x.cur)"/>',
  'a base for its links': '<rect xml:base="https://evil.example/"/>',
  'an instruction within': '<?xml-stylesheet href="https://evil.example/x.css"?>',
}

const cleaned: HostileFile[] = Object.entries(INSIDES).map(([title, inside]) => ({
  title: `SVG with ${title}`,
  name: 'drawing.svg',
  bytes: async () => Buffer.from(svg(inside)),
  expect: 'safe',
  is: IS,
  holds: /<rect id="kept" width="10" height="10">/,
}))

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

const kept: HostileFile[] = [
  ['a handler at its root', Buffer.from(svg('', 'onload="alert(1)"'))],
  ['a handler at its root, behind a line break', Buffer.from(svg('', '\n\tonload\n=\n"alert(1)"'))],
  ['a style sheet from elsewhere', Buffer.from(`<?xml-stylesheet href="https://evil.example/x.css"?>${svg('')}`)],
  [
    'a document type',
    Buffer.from(`<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://evil.example/x.dtd">${svg('')}`),
  ],
  ['a mark of UTF-8', Buffer.from(`\ufeff${svg('<script>alert(1)</script>')}`)],
  ['a script in UTF-16', utf16(svg('<script>alert(1)</script>'))],
  ['the name of a picture', Buffer.from(svg('<script>alert(1)</script>')), 'photo.jpg'],
  ['the name of a text', Buffer.from(svg('<script>alert(1)</script>')), 'notes.txt'],
  ['comments and spaces in front', Buffer.from(` \n<!-- <html> -->\n${svg('<script>alert(1)</script>')}`)],
].map(([title, bytes, name = 'drawing.svg']) => ({
  title: `SVG with ${title}`,
  name: String(name),
  bytes: async () => Buffer.from(bytes ?? ''),
  expect: 'safe',
  is: IS,
  holds: /<rect id="kept"/,
}))

const laughs = Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`)
const doubling = Array.from({ length: 30 }, (_, level) => {
  const uses = `<use href="#u${level}"/>`.repeat(2)
  return `<g id="u${level + 1}">${uses}</g>`
})

const REFUSED: readonly (readonly [string, string | Buffer, RegExp?])[] = [
  [
    'an entity from a file',
    `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`,
    /entities/,
  ],
  [
    'a thousand million laughs',
    `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughs.join('')}]>${svg('<text>&l9;</text>')}`,
    /entities/,
  ],
  ['an entity nobody declared', svg('<text>&nbsp;</text>'), /not well formed/],
  ['an open end', svg('').slice(0, -10), /not well formed/],
  ['elements that cross', svg('<g><rect></g></rect>'), /not well formed/],
  ['an attribute twice', svg('<rect width="1" width="2"/>'), /not well formed/],
  ['a prefix nobody declared', svg('<x:rect/>'), /not well formed/],
  ['a NUL', svg('<text>\0</text>')],
  [
    'UTF-7',
    Buffer.from(`<?xml version="1.0" encoding="UTF-7"?>${svg('+ADw-script+AD4-alert(1)+ADw-/script+AD4-')}`),
    /UTF-8/,
  ],
  ['bytes that are not UTF-8', Buffer.from(svg('<text>\xff\xfe</text>'), 'latin1'), /UTF-8/],
  ['a packed SVG', gzipSync(svg('')), /gz/],
  ['HTML around it', `<html><body>${svg('')}</body></html>`, /HTML/],
  ['a root of another kind', '<svg xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></svg>', /not an SVG/],
  ['a giant size', '<svg xmlns="http://www.w3.org/2000/svg" width="1e9" height="1e9"/>', /million/],
  ['100,000 levels and no end', svg('<g>'.repeat(100_000)), /too many elements/],
  ['300 levels', svg(`${'<g>'.repeat(300)}${'</g>'.repeat(300)}`), /too many elements/],
  ['300,000 elements', svg('<g/>'.repeat(300_000)), /too many elements/],
  [
    'uses that double thirty times',
    svg(`<g id="u0"><rect/></g>${doubling.join('')}<use href="#u30"/>`),
    /too many elements/,
  ],
  ['6 MB', svg(`<desc>${'x'.repeat(6_000_000)}</desc>`), /5 MB/],
]

const refused: HostileFile[] = REFUSED.map(([title, bytes, says]) => ({
  title: `SVG with ${title}`,
  name: 'drawing.svg',
  bytes: async () => Buffer.from(bytes),
  expect: 'invalid',
  ...(says && { says }),
}))

/** SVGs that run, load or embed something, and SVGs that are none. */
export const HOSTILE_SVGS: readonly HostileFile[] = [...cleaned, ...kept, ...refused]
