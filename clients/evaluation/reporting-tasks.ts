import { call, done, findAll, idIn, patch, titleIn } from './script-steps.ts'
import { added, addedPart, changed, type Task } from './task.ts'

/** To look and report, and to write nothing. */
export const reportingTasks: readonly Task[] = [
  {
    id: 'find-drafts',
    order: 'Which articles have never been published? Tell me their titles, and change nothing.',
    expected: {
      answer: { has: ['A letter from Mill Square', 'Notes from the council'], lacks: ['Night bakers', 'Old bridge'] },
    },
    script: async (tools) => {
      const lines = await findAll(tools, { types: ['article'], state: ['draft'] })
      return done(lines.map(titleIn).join('\n'))
    },
  },
  {
    id: 'find-untranslated',
    order: 'Which topics are not in French yet? Only tell me their titles.',
    expected: { answer: { has: ['Food', 'History'], lacks: ['Harbour'] } },
    script: async (tools) => {
      const missing = await call(tools, 'translate_missing', { type: 'topic', toLocale: 'fr' })
      return done(
        missing
          .split('\n')
          .filter((line) => line.startsWith('- '))
          .map(titleIn)
          .join('\n'),
      )
    },
  },
  {
    id: 'find-words',
    order: 'On how many days of the lighthouse diary did it snow? Tell me the number alone, in figures.',
    expected: { answer: { has: ['6'], lacks: ['30'] } },
    script: async (tools) => {
      return done(String((await findAll(tools, { types: ['article'], search: 'snow' })).length))
    },
  },
  {
    id: 'tell-unpublished',
    order: 'What would readers see differently if we published “The night bakers of Mill Lane” now? Only tell me.',
    expected: { answer: { has: ['of Mill Lane'] } },
    script: async (tools) => done(await call(tools, 'changes', { id: 'night-bakers' })),
  },
]

/** Alternative texts and pictures. */
export const pictureTasks: readonly Task[] = [
  {
    id: 'fill-alternatives',
    order:
      'Some pictures have no alternative text. Write one for each of them, from what its title says, in at most fifteen words. Do not touch those that have one.',
    expected: {
      changes: {
        'img-crane': [added('alt', { has: ['crane'], words: 15 })],
        'img-bread': [added('alt', { has: ['bakers'], words: 15 })],
        'img-geese': [added('alt', { has: ['geese'], words: 15 })],
      },
    },
    script: async (tools) => {
      for (const line of await findAll(tools, { types: ['@cms/image'], where: { hasAlt: false } })) {
        await patch(tools, idIn(line), { alt: titleIn(line) })
      }
      return done()
    },
  },
  {
    id: 'place-picture',
    order: 'Put the picture of the old bridge at the end of the text of “The old bridge”.',
    expected: {
      changes: {
        'old-bridge': [addedPart('body.*', 3, { type: { is: '@cms/image' }, imageIds: { has: ['img-bridge'] } })],
      },
    },
    script: async (tools) => {
      const item = { type: '@cms/image', _image: [{ _id: 'img-bridge' }] }
      await patch(tools, 'old-bridge', { $push: { 'body.items': item } })
      return done()
    },
  },
]

/** To leave a draft alone that somebody works on. */
export const proposingTasks: readonly Task[] = [
  {
    id: 'propose-subtitle',
    order:
      'Ben is in the middle of “The night bakers of Mill Lane”, so do not write into his draft. Propose the subtitle “They bake while we sleep” instead.',
    expected: {
      proposals: { 'night-bakers': { rows: [changed('subtitle', { is: 'They bake while we sleep' })] } },
    },
    script: async (tools) => {
      await call(tools, 'propose', {
        id: 'night-bakers',
        title: 'Another subtitle',
        patch: { subtitle: 'They bake while we sleep' },
      })
      return done()
    },
  },
  {
    id: 'propose-link',
    order:
      'Only propose, do not write: “Ferries strike on Monday” should get a link “Talks”, which leads to https://talks.example.net.',
    expected: {
      proposals: {
        'ferry-strike': { rows: [addedPart('links.*', 1, { label: { is: 'Talks' } })], warnings: ['newLink'] },
      },
    },
    script: async (tools) => {
      await call(tools, 'propose', {
        id: 'ferry-strike',
        title: 'A link to the talks',
        patch: { $push: { links: { label: 'Talks', href: 'https://talks.example.net' } } },
      })
      return done()
    },
  },
]
