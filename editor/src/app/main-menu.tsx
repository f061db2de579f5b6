import {
  Bot,
  File,
  Files,
  FileText,
  History,
  House,
  type IconNode,
  Image,
  Inbox,
  Network,
  Palette,
  Settings,
} from 'lucide'
import { useLocation } from 'preact-iso'
import type { Schema } from 'quire-client'
import { useEditor } from '../data/editor.ts'
import { useWaitingProposals } from '../data/proposals.ts'
import { useQuiet } from '../data/query.ts'
import { styleFieldsOf } from '../model/style-fields.ts'
import { Icon } from '../ui/icon.tsx'
import { t } from '../words/words.ts'

interface Entry {
  readonly path: string
  readonly label: string
  readonly icon: IconNode
  /** How many things wait there. */
  readonly count?: number
}

/** Where one can go: what the schema has, and the caller may see. */
export function MainMenu({ onChosen }: { readonly onChosen: () => void }) {
  const { schema, link, place } = useEditor()
  const { path } = useLocation()
  const inside = path.slice(place.base.length) || '/'
  const waiting = useWaitingProposals(null, useQuiet()).data?.total ?? 0
  const isShown = waiting > 0 || isHere(inside, PROPOSALS)
  return (
    <ul class="q-nav-list">
      {menuEntries(schema.value, isShown ? waiting : null).map((entry) => (
        <li key={entry.path}>
          <a
            class="q-nav-link"
            href={link(entry.path)}
            aria-current={isHere(inside, entry.path) ? 'page' : undefined}
            onClick={onChosen}
          >
            <Icon of={entry.icon} /> {entry.label}
            {entry.count ? <span class="q-nav-count">{entry.count}</span> : null}
          </a>
        </li>
      ))}
    </ul>
  )
}

function isHere(inside: string, path: string): boolean {
  return path === '/' ? inside === '/' : inside === path || inside.startsWith(`${path}/`)
}

const PROPOSALS = '/proposals'

function menuEntries({ types, site, caller }: Schema, waiting: number | null): readonly Entry[] {
  const { namespace } = site
  const visible = Object.entries(types).filter(([, { denied }]) => denied.view === undefined)
  const has = (name: string) => visible.some(([one]) => one === `${namespace}/${name}`)
  const own = visible.filter(([name, { family }]) => family === 'piece' && !name.startsWith(`${namespace}/`))
  return [
    { path: '/', label: t.frame.home, icon: House },
    ...(visible.some(([, { family }]) => family === 'page')
      ? [{ path: '/pages', label: t.frame.pages, icon: Network }]
      : []),
    ...own.map(([name, { pluralLabel, label, singleton }]) => ({
      path: `/content/${encodeURIComponent(name)}`,
      label: singleton ? label : pluralLabel,
      icon: singleton ? File : FileText,
    })),
    ...(has('image') ? [{ path: '/media/images', label: t.frame.images, icon: Image }] : []),
    ...(has('file') ? [{ path: '/media/files', label: t.frame.files, icon: Files }] : []),
    ...(visible.some(([, { versions, denied }]) => versions && denied.editDraft === undefined)
      ? [{ path: '/activity', label: t.activity.title, icon: History }]
      : []),
    ...(waiting === null ? [] : [{ path: PROPOSALS, label: t.proposals.title, icon: Inbox, count: waiting }]),
    ...(caller.denied.agents === undefined ? [{ path: '/agents', label: t.agents.title, icon: Bot }] : []),
    ...(hasStyles(types[`${namespace}/styles`])
      ? [{ path: `/content/${encodeURIComponent(`${namespace}/styles`)}`, label: t.frame.styles, icon: Palette }]
      : []),
    ...(types[`${namespace}/global`]?.denied.editDraft === undefined && has('global')
      ? [
          {
            path: `/content/${encodeURIComponent(`${namespace}/global`)}`,
            label: types[`${namespace}/global`]?.label ?? '',
            icon: Settings,
          },
        ]
      : []),
  ]
}

/** Whether the site lets the caller set how it looks: the type is always there, with fields only where some are declared. */
function hasStyles(type: Schema['types'][string] | undefined): boolean {
  if (type === undefined || type.denied.view || type.denied.editDraft) return false
  return styleFieldsOf(type).length > 0
}
