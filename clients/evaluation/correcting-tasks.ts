import { call, done, findAll, idIn, patch } from './script-steps.ts'
import { added, addedPart, changed, changedTo, removed, type Task } from './task.ts'

const DAYS = Array.from({ length: 30 }, (_, index) => `diary-${String(index + 1).padStart(2, '0')}`)

/** To put right what is wrong, and nothing else. */
export const correctingTasks: readonly Task[] = [
  {
    id: 'correct-name',
    order:
      'The keeper of the lighthouse is called Olaf Brandt, with a d. We have written “Olaf Brant” in all thirty parts of his diary: correct it everywhere. The geese really are called Brant.',
    expected: {
      changes: Object.fromEntries(DAYS.map((id) => [id, [changedTo('subtitle', 'By Olaf Brandt, keeper')]])),
    },
    script: async (tools) => {
      for (const line of await findAll(tools, { types: ['article'], search: 'Olaf Brant', perPage: 25 })) {
        await patch(tools, idIn(line), { subtitle: 'By Olaf Brandt, keeper' })
      }
      return done()
    },
  },
  {
    id: 'correct-figure',
    order:
      'A return ticket of the ferry costs 16 euros, not 14: correct it in “Ferries strike on Monday”, in bold as it is.',
    expected: {
      changes: {
        'ferry-strike': [
          changedTo(
            'body.fs-text.content',
            '<p>A return ticket costs <strong>16 euros</strong>, and stays valid for a week.</p>',
          ),
        ],
      },
    },
    script: async (tools) => {
      const before = /content: (.*14 euros.*)/.exec(await call(tools, 'read', { id: 'ferry-strike' }))?.[1] ?? ''
      await patch(tools, 'ferry-strike', { '@fs-text.content': before.replace('14 euros', '16 euros') })
      return done()
    },
  },
  {
    id: 'correct-link',
    order: 'In “A walk around the harbour”, the link to the map must lead to https://maps.example.org/harbour/new.',
    expected: {
      changes: { 'harbour-walk': [changedTo('links.hw-map.href', 'https://maps.example.org/harbour/new')] },
    },
    script: async (tools) => {
      await patch(tools, 'harbour-walk', { '@hw-map.href': 'https://maps.example.org/harbour/new' })
      return done()
    },
  },
  {
    id: 'correct-quotation',
    order:
      'The quotation in “A walk around the harbour” is not by Jon Hale, but by his sister Mary Hale. Please correct that.',
    expected: { changes: { 'harbour-walk': [changedTo('body.hw-quote.by', 'Mary Hale')] } },
    script: async (tools) => {
      await patch(tools, 'harbour-walk', { '@hw-quote.by': 'Mary Hale' })
      return done()
    },
  },
  {
    id: 'change-section',
    order: '“The last lamp lighter” stands in the wrong section: it is a portrait. And give it the topic History.',
    expected: {
      changes: {
        'lamp-lighter': [changedTo('section', 'portrait'), { ...added('_topics'), value: ['topic-history'] }],
      },
    },
    script: async (tools) => {
      await patch(tools, 'lamp-lighter', { section: 'portrait', _topics: [{ _id: 'topic-history' }] })
      return done()
    },
  },
]

/** To change the order or the kind of what is there. */
export const arrangingTasks: readonly Task[] = [
  {
    id: 'replace-widget',
    order:
      'In “The last lamp lighter”, replace the notice by a quotation at the same place: “A lamp wants to be greeted.”, by Vera Munk.',
    expected: {
      changes: {
        'lamp-lighter': [
          addedPart('body.*', 2, {
            type: { is: 'quote' },
            words: { has: ['A lamp wants to be greeted'] },
            by: { is: 'Vera Munk' },
          }),
          removed('body.ll-notice'),
        ],
      },
    },
    script: async (tools) => {
      const $each = [{ type: 'quote', words: 'A lamp wants to be greeted.', by: 'Vera Munk' }]
      await patch(tools, 'lamp-lighter', {
        $push: { 'body.items': { $each, $before: 'll-notice' } },
        $pullAllById: { 'body.items': ['ll-notice'] },
      })
      return done()
    },
  },
  {
    id: 'reorder-links',
    order: 'Move the link to the Café Anchor to the top of the links in “A walk around the harbour”.',
    expected: { changes: { 'harbour-walk': [{ ...changed('links'), value: ['hw-cafe', 'hw-map', 'hw-ferry'] }] } },
    script: async (tools) => {
      await patch(tools, 'harbour-walk', { $move: { links: { $item: 'hw-cafe', $before: 'hw-map' } } })
      return done()
    },
  },
  {
    id: 'reorder-widgets',
    order: 'Begin “A walk around the harbour” with the quotation; all else follows as it is.',
    expected: { changes: { 'harbour-walk': [{ ...changed('body'), value: ['hw-quote', 'hw-start', 'hw-end'] }] } },
    script: async (tools) => {
      await patch(tools, 'harbour-walk', { $move: { 'body.items': { $item: 'hw-quote', $before: 'hw-start' } } })
      return done()
    },
  },
  {
    id: 'remove-link',
    order: 'The ferry has no times online any more: take that link out of “A walk around the harbour”.',
    expected: { changes: { 'harbour-walk': [removed('links.hw-ferry')] } },
    script: async (tools) => {
      await patch(tools, 'harbour-walk', { $pullAllById: { links: ['hw-ferry'] } })
      return done()
    },
  },
  {
    id: 'remove-widget',
    order: 'The talks about the ferries are over: remove the notice from “Ferries strike on Monday”.',
    expected: { changes: { 'ferry-strike': [removed('body.fs-notice')] } },
    script: async (tools) => {
      await patch(tools, 'ferry-strike', { $pullAllById: { 'body.items': ['fs-notice'] } })
      return done()
    },
  },
]
