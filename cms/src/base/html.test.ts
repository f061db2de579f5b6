import { describe, expect, it } from 'vitest'
import { attributes, type Html, html, json, raw } from './html.ts'

const HOSTILE = `<script>alert(1)</script>"'&`
const ESCAPED = '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;'

describe('§4.2b html`…`', () => {
  it.each<[string, Html, string]>([
    ['in text', html`<p>${HOSTILE}</p>`, `<p>${ESCAPED}</p>`],
    ['in an attribute', html`<p title="${HOSTILE}">`, `<p title="${ESCAPED}">`],
    ['in an attribute with single quotes', html`<p title='${HOSTILE}'>`, `<p title='${ESCAPED}'>`],
    ['in a textarea', html`<textarea>${HOSTILE}</textarea>`, `<textarea>${ESCAPED}</textarea>`],
    ['in part of a URL', html`<a href="/tags/${HOSTILE}">`, `<a href="/tags/${ESCAPED}">`],
    ['in lists', html`${['<', html`<b>`, ['>']]}`, '&lt;<b>&gt;'],
    ['after a script', html`<script>a < b</script ><p>${'<'}`, '<script>a < b</script ><p>&lt;'],
    ['after a comment', html`<!-- "<p -->${'<'}`, '<!-- "<p -->&lt;'],
    ['after an attribute without quotes', html`<p id=a class="${'"'}">`, '<p id=a class="&quot;">'],
    ['after a lone <', html`1 < 2 ${'<'}`, '1 < 2 &lt;'],
  ])('escapes %s', (_, rendered, expected) => {
    expect(rendered.text).toBe(expected)
  })

  it('renders numbers and true as text, and nothing for what is empty', () => {
    expect(html`<i>${0}${1.5}${true}${null}${undefined}${false}${''}${[]}</i>`.text).toBe('<i>01.5true</i>')
  })

  it('leaves HTML as it is, and makes it harmless in an attribute', () => {
    const bold = html`<b title="x">a &amp; b</b>`
    expect(html`<p>${bold}</p>`.text).toBe(`<p>${bold.text}</p>`)
    expect(html`<p title="${bold}">`.text).toBe('<p title="&lt;b title=&quot;x&quot;&gt;a &amp; b&lt;/b&gt;">')
  })

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    '\u0001javascript:alert(1)',
    'java\nscript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>',
    'x:y',
  ])('a URL that could run becomes #: %j', (url) => {
    expect(html`<a href="${url}">`.text).toBe('<a href="#">')
    expect(html`<form action="${url}">`.text).toBe('<form action="#">')
    expect(html`<svg><a xlink:href='${url}'>`.text).toBe("<svg><a xlink:href='#'>")
    expect(attributes({ src: url }).text).toBe(' src="#"')
    expect(html`<img srcset="${`/a.jpg 1x, ${url} 2x`}">`.text).not.toContain(':')
  })

  it.each(['https://example.org/?a=b:c', '/a:b', '#a:b', '?a:b', 'mailto:a@example.org', 'tel:+43', 'a/b', ''])(
    'a harmless URL stays: %s',
    (url) => {
      expect(html`<a href="${url}">`.text).toBe(`<a href="${url}">`)
    },
  )

  it('no two values make a scheme together', () => {
    expect(html`<a href="${'javascript'}${':alert(1)'}">`.text).toBe('<a href="javascript%3Aalert(1)">')
    expect(() => html`<a href="${'javascript'}:alert(1)">`).toThrow('The scheme of a URL cannot be a value')
    expect(() => html`<a href="javascript:${'alert(1)'}">`).toThrow('cannot hold a value')
  })

  it('a style holds colours, numbers and names', () => {
    const color = (value: string) => html`<p style="color: ${value}">`.text
    expect(color('#fff')).toBe('<p style="color: #fff">')
    expect(color('rgb(1 2 3 / 50%)')).toBe('<p style="color: rgb(1 2 3 / 50%)">')
    expect(color('red;background:url(//evil)')).toBe('<p style="color: ">')
    expect(color('url(//evil)')).toBe('<p style="color: ">')
    expect(attributes({ style: 'object-position: 10% 20%; --a: 1' }).text).toBe(
      ' style="object-position: 10% 20%; --a: 1"',
    )
    expect(attributes({ style: 'background: url(//evil)' }).text).toBe(' style=""')
  })

  it.each<[string, () => Html, string]>([
    ['an attribute without quotes', () => html`<p title=${'a'}>`, 'Quote the value'],
    ['part of an attribute without quotes', () => html`<p title=a${'b'}>`, 'Quote the values'],
    ['a handler', () => html`<p onclick="go(${'a'})">`, 'cannot become code'],
    ['a handler by name', () => attributes({ onclick: 'x' }), 'cannot be an attribute'],
    ['a script', () => html`<script>const a = ${'a'}</script>`, 'json(value)'],
    ['a style element', () => html`<style>p { color: ${'red'} }</style>`, 'raw(text)'],
    ['a comment', () => html`<!-- ${'a'} -->`, 'raw(text)'],
    ['HTML in a script', () => html`<script>const a = "${html`${'\\'}`}"</script>`, 'json(value)'],
    ['the name of an element', () => html`<${'b'}>`, 'The name of an element'],
    ['the name of an attribute', () => html`<b data-${'a'}="1">`, 'The name of an attribute'],
    ['a text among attributes', () => html`<b ${'a'}>`, 'attributes({ name: value })'],
    ['text in an attribute that holds HTML', () => html`<iframe srcdoc="${'<b>'}"></iframe>`, 'html`…`'],
    ['an object', () => html`<p>${{ a: 1 }}</p>`, 'An object cannot be rendered'],
    ['a template that ends inside of a tag', () => html`<p title="a"`, 'Here the template ends'],
  ])('refuses %s', (_, render, message) => {
    expect(render).toThrow(message)
  })

  it('takes long texts, wherever they stand', () => {
    const long = 'a'.repeat(200_000)
    expect(html`<p style="color: ${long}"></p>`.text).toHaveLength(long.length + 23)
    expect(html`<p style="${`color:${long} (`}"></p>`.text).toBe('<p style=""></p>')
  })

  it('json in a script cannot end it', () => {
    const script = html`<script type="application/json">${json({ a: '</script><!--\u2028' })}</script>`
    expect(script.text).toBe('<script type="application/json">{"a":"\\u003c/script\\u003e\\u003c!--\\u2028"}</script>')
  })

  it('attributes are left out when they are nothing', () => {
    const given = attributes({ checked: true, value: HOSTILE, title: null, id: undefined, hidden: false, 'data-n': 0 })
    expect(html`<input${given}>`.text).toBe(`<input checked value="${ESCAPED}" data-n="0">`)
    expect(html`<input type="text" ${raw('autofocus')}>`.text).toBe('<input type="text"  autofocus>')
  })
})
