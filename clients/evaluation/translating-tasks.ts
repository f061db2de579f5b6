import { call, done, patch } from './script-steps.ts'
import { added, addedPart, changed, changedTo, type Task } from './task.ts'

/** To say in one language what is there in another. */
export const translatingTasks: readonly Task[] = [
  {
    id: 'translate-article',
    order: 'Translate “The winter fair” into French, all of it. It is to have its own French title, too.',
    expected: {
      changes: {
        'winter-fair:fr': [
          added('title', { lacks: ['winter'], has: ['hiver'] }),
          added('slug', { lacks: ['winter-fair'] }),
          added('subtitle', { lacks: ['stalls'] }),
          added('section', { is: 'news' }),
          addedPart('body.wf-text', 1, { content: { has: ['vendredi'], lacks: ['Friday'] } }),
        ],
      },
    },
    script: async (tools) => {
      const values = {
        title: 'Le marché d’hiver',
        subtitle: 'Quarante étals et un manège',
        '@wf-text.content': '<p>Le marché ouvre vendredi à midi, et le manège est gratuit pour les enfants.</p>',
      }
      await patch(tools, 'winter-fair', values, { locale: 'fr', copyFrom: 'en' })
      return done()
    },
  },
  {
    id: 'update-translation',
    order:
      'The English subtitle of “Swimming in the river” was changed after the French one was written. Bring the French one up to date.',
    expected: { changes: { 'river-swim:fr': [changed('subtitle', { has: ['août'], lacks: ['juillet'] })] } },
    script: async (tools) => {
      const behind = await call(tools, 'translate_missing', { id: 'river-swim', toLocale: 'fr' })
      if (!behind.includes('subtitle (behind)')) throw new Error(`Nothing is behind: ${behind}`)
      await patch(tools, 'river-swim', { subtitle: 'De nouveau permis dès août' }, { locale: 'fr' })
      return done()
    },
  },
  {
    id: 'translate-rest',
    order: 'In the French copy of “The spring tide” the subtitle and the text are still English: translate them.',
    expected: {
      changes: {
        'spring-tide:fr': [
          changed('subtitle', { has: ['cave'], lacks: ['cellar'] }),
          changed('body.st-text.content', { has: ['dimanche'], lacks: ['Sunday'] }),
        ],
      },
    },
    script: async (tools) => {
      const missing = await call(tools, 'translate_missing', { id: 'spring-tide', toLocale: 'fr' })
      const paths = [...missing.matchAll(/^- (\S+) \(not translated\)/gm)].map(([, path]) => path)
      if (paths.join(' ') !== 'subtitle body.st-text.content') throw new Error(`Not translated: ${paths.join(' ')}`)
      const subtitle = 'Gardez fermées les portes des caves'
      const content = '<p>L’eau sera au plus haut dimanche à neuf heures.</p>'
      await patch(tools, 'spring-tide', { subtitle, '@st-text.content': content }, { locale: 'fr' })
      return done()
    },
  },
  {
    id: 'translate-topic',
    order: 'The topic “Harbour” is missing in German. Its title there is “Hafen”, its blurb “Kräne, Kais und Fähren”.',
    expected: {
      changes: {
        'topic-harbour:de': [
          added('title', { is: 'Hafen' }),
          added('slug', { is: 'hafen' }),
          added('blurb', { is: 'Kräne, Kais und Fähren' }),
        ],
      },
    },
    script: async (tools) => {
      const values = { title: 'Hafen', blurb: 'Kräne, Kais und Fähren' }
      await patch(tools, 'topic-harbour', values, { locale: 'de', copyFrom: 'en' })
      return done()
    },
  },
]

/** What people wrote before, and took away. */
export const restoringTasks: readonly Task[] = [
  {
    id: 'restore-paragraph',
    order:
      'Somebody has removed a paragraph about the mason from “The old bridge”. Find it in the history and put it back where it was, word by word. Leave the rest as it is now.',
    expected: {
      changes: {
        'old-bridge': [
          addedPart('body.*', 2, {
            content: {
              is: 'Its mason, Peer Lund, scratched his name into the third arch, where only swimmers see it.',
            },
          }),
        ],
      },
    },
    script: async (tools) => {
      const removal = await removalIn(tools, 'old-bridge')
      const content = JSON.parse(/^- Removed .*?: (\{.*\})$/m.exec(removal)?.[1] ?? '{}').content
      const $each = [{ type: '@cms/rich-text', content }]
      await patch(tools, 'old-bridge', { $push: { 'body.items': { $each, $before: 'ob-end' } } })
      return done()
    },
  },
  {
    id: 'restore-subtitle',
    order: 'Give “The old bridge” the subtitle back that it had before Ben Okafor changed it.',
    expected: { changes: { 'old-bridge': [changedTo('subtitle', 'Four arches, three wars')] } },
    script: async (tools) => {
      const change = await changeBy(tools, 'old-bridge', 'Ben Okafor')
      const former = change.replaceAll(/\[\+[^+]*\+\]/g, '').replaceAll(/\[-([^-]*)-\]/g, '$1')
      await patch(tools, 'old-bridge', { subtitle: /\[subtitle\]: (.*)/.exec(former)?.[1]?.trim() })
      return done()
    },
  },
]

type Tools = Parameters<Task['script']>[0]

/** What the newest version of an author has changed. */
async function changeBy(tools: Tools, id: string, author: string): Promise<string> {
  const versions = await call(tools, 'history', { id })
  const version = new RegExp(`^- (\\S+) .* by "${author}"`, 'm').exec(versions)?.[1]
  return call(tools, 'changes', { id, version })
}

function removalIn(tools: Tools, id: string): Promise<string> {
  return changeBy(tools, id, 'Ada Young')
}
