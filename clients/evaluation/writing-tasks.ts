import { call, done, patch } from './script-steps.ts'
import { added, addedPart, changed, type Task } from './task.ts'

const STALLS =
  'In the winter of 1931 the river froze so hard that traders put up their stalls on the ice below Quay Street. For nine days the town bought its bread, its coal and its newspapers on the river. Then the thaw came, and took one stall with it.'

/** To write something new. */
export const writingTasks: readonly Task[] = [
  {
    id: 'make-topic',
    order: 'We need a new topic called “Weather”. Its blurb should be: Rain, fog and the rest.',
    expected: {
      changes: {
        'new topic': [
          added('title', { is: 'Weather' }),
          added('slug', { is: 'weather' }),
          added('blurb', { is: 'Rain, fog and the rest.' }),
        ],
      },
    },
    script: async (tools) => {
      await call(tools, 'write_draft', {
        type: 'topic',
        values: { title: 'Weather', blurb: 'Rain, fog and the rest.' },
      })
      return done()
    },
  },
  {
    id: 'write-article',
    order:
      'Write a new article for the section essay with the title “The frozen river”, no subtitle, and one text of 30 to 90 words about the winter of 1931, when stalls stood on the ice below Quay Street. Set nothing else.',
    expected: {
      changes: {
        'new article': [
          added('title', { is: 'The frozen river' }),
          added('slug', { is: 'the-frozen-river' }),
          added('section', { is: 'essay' }),
          addedPart('body.*', 1, {
            type: { is: '@cms/rich-text' },
            content: { has: ['1931', 'Quay Street'], words: 90 },
          }),
        ],
      },
    },
    script: async (tools) => {
      const body = { items: [{ type: '@cms/rich-text', content: `<p>${STALLS}</p>` }] }
      await call(tools, 'write_draft', {
        type: 'article',
        values: { title: 'The frozen river', section: 'essay', body },
      })
      return done()
    },
  },
  {
    id: 'add-paragraph',
    order:
      'In “A walk around the harbour”, add one more text right after the quotation, before the lighthouse: a sentence or two on the cranes, which mentions that there are seven of them. Leave the other texts alone.',
    expected: { changes: { 'harbour-walk': [addedPart('body.*', 3, { content: { has: ['seven', 'crane'] } })] } },
    script: async (tools) => {
      const content = '<p>Seven cranes stand at the north quay, and only one of them works.</p>'
      const $each = [{ type: '@cms/rich-text', content }]
      await patch(tools, 'harbour-walk', { $push: { 'body.items': { $each, $before: 'hw-end' } } })
      return done()
    },
  },
  {
    id: 'write-subtitle',
    order: '“The last lamp lighter” has no subtitle. Write one of at most ten words that names Vera Munk.',
    expected: { changes: { 'lamp-lighter': [added('subtitle', { has: ['Vera Munk'], words: 10 })] } },
    script: async (tools) => {
      await patch(tools, 'lamp-lighter', { subtitle: 'Thirty years of gaslight: Vera Munk says goodbye' })
      return done()
    },
  },
  {
    id: 'make-page',
    order:
      'Make a plain page “Contact” below the page “About us”, with the introduction “Write to us at Quay Street 4.”, and nothing else on it.',
    expected: {
      changes: {
        'new plain-page': [
          added('title', { is: 'Contact' }),
          added('slug', { is: '/about-us/contact' }),
          added('intro', { is: 'Write to us at Quay Street 4.' }),
        ],
      },
    },
    script: async (tools) => {
      const values = { title: 'Contact', intro: 'Write to us at Quay Street 4.' }
      const position = { target: 'about', at: 'lastChild' }
      await call(tools, 'write_draft', { type: 'plain-page', values, position })
      return done()
    },
  },
  {
    id: 'add-link',
    order:
      'Add a fourth link at the end of those of “A walk around the harbour”: “Tide tables”, https://tides.example.org.',
    expected: {
      changes: {
        'harbour-walk': [
          addedPart('links.*', 4, { label: { is: 'Tide tables' }, href: { has: ['https://tides.example.org'] } }),
        ],
      },
    },
    script: async (tools) => {
      await patch(tools, 'harbour-walk', {
        $push: { links: { label: 'Tide tables', href: 'https://tides.example.org' } },
      })
      return done()
    },
  },
]

/** To say the same in fewer words. */
export const shorteningTasks: readonly Task[] = [
  {
    id: 'shorten-subtitle',
    order:
      'The subtitle of “The market hall” is far too long. Cut it to ten words at most; that the hall closes for repairs has to stay in.',
    expected: { changes: { 'market-hall': [changed('subtitle', { has: ['repairs'], words: 10 })] } },
    script: async (tools) => {
      await patch(tools, 'market-hall', { subtitle: 'The hall at the river closes for repairs in autumn' })
      return done()
    },
  },
  {
    id: 'shorten-text',
    order:
      'Shorten the text of “The market hall” to 60 words at most, in its place. Ida Falk and the year 1898 must still be in it.',
    expected: {
      changes: { 'market-hall': [changed('body.mh-text.content', { has: ['Ida Falk', '1898'], words: 60 })] },
    },
    script: async (tools) => {
      const content =
        '<p>Ida Falk, the first woman who built for the town, drew the market hall, which was opened in 1898. Now its roof leaks. It will close in October, and may open again in spring. Until then the stalls stand on Quay Street.</p>'
      await patch(tools, 'market-hall', { '@mh-text.content': content })
      return done()
    },
  },
  {
    id: 'shorten-two',
    order:
      'Give both “The old bridge” and “The winter fair” a subtitle of a single word: “Arches” for the bridge, “Stalls” for the fair.',
    expected: {
      changes: {
        'old-bridge': [changed('subtitle', { is: 'Arches' })],
        'winter-fair': [changed('subtitle', { is: 'Stalls' })],
      },
    },
    script: async (tools) => {
      await patch(tools, 'old-bridge', { subtitle: 'Arches' })
      await patch(tools, 'winter-fair', { subtitle: 'Stalls' })
      return done()
    },
  },
]
