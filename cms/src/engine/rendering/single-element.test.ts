import { expect, test } from 'vitest'
import { placeInElement } from './marks.ts'

test.each([
  '<p>one</p>',
  '<div class="a > b"><p>x</p><br><img src=a></div>',
  '<li>one<!-- <p> --></li>',
  '<tr><td>1</td></tr>',
  '<hr>',
  '<my-part>x</my-part>',
  '<svg viewBox="0 0 1 1"><path d="M0"/></svg>',
  '<style>p > a {} </p></style>',
  '<DIV>x</div>',
])('§11.4 attributes can be added to the one element of %s', (html) => {
  const place = placeInElement(html)
  expect(place).not.toBeNull()
  expect(html.slice(0, place ?? 0)).toMatch(/^<[\w-]+$/)
})

test.each([
  '',
  'text',
  'text <p>one</p>',
  '<p>one</p> text',
  '<p>one</p><p>two</p>',
  '<style>p{}</style><div>x</div>',
  '<div>x',
  '<ul><li>one<li>two</ul>',
  '</p>',
  '<!-- a --><p>one</p>',
  '<p>one</p><!-- a -->',
  '<script>x',
  '<div>1 < 2</div>',
  '<div><!-- </div>',
  '<div title="></div>',
])('§11.4 there is no such element in %j', (html) => {
  expect(placeInElement(html)).toBeNull()
})
