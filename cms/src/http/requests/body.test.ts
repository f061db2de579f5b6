import { expect, test } from 'vitest'
import { parseBody } from './body.ts'

const parsed = (type: string, text: string) => parseBody(Buffer.from(text), { 'content-type': type })

test.each([
  ['{"title":"x"}', /Send it with the header Content-Type: application\/json\.$/],
  [' \n[1]', /Send it with the header Content-Type: application\/json\.$/],
])('§0.4 JSON that was sent as a form is refused with the header that it needs: %j', (text, message) => {
  expect(() => parsed('application/x-www-form-urlencoded', text)).toThrow(message)
})

test('§0.4 names and values of a form may have braces, which forms encode', () => {
  expect(parsed('application/x-www-form-urlencoded; charset=utf-8', 'title=%7Bx%7D&%7Ba=[b]')).toEqual({
    title: '{x}',
    '{a': '[b]',
  })
})

test('§0.4 a mistake in JSON is reported with its place', () => {
  expect(() => parsed('application/json', '{"title":"x",}')).toThrow(/^The body is not valid JSON: .*position 13/)
})
