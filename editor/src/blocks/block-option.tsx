import { Blocks, Code, Columns3, File, type IconNode, Image, Type, Video } from 'lucide'
import { Icon } from '../ui/icon.tsx'
import type { BlockKind } from './block-kinds.ts'

/** By what follows the namespace: blocks that every site has. */
const ICONS: Readonly<Record<string, IconNode>> = {
  'rich-text': Type,
  image: Image,
  video: Video,
  file: File,
  html: Code,
  layout: Columns3,
  'layout-column': Columns3,
}

interface BlockOptionProps {
  readonly id: string
  readonly kind: BlockKind
  readonly isCurrent: boolean
  readonly onChoose: () => void
}

/** One kind of block in the list of those that can be added. */
export function BlockOption({ id, kind: { type, info }, isCurrent, onChoose }: BlockOptionProps) {
  const icon = type.startsWith('@') ? ICONS[type.slice(type.indexOf('/') + 1)] : undefined
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus, and the keys.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      aria-describedby={info.description ? `${id}-description` : undefined}
      class="q-block-option"
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <Icon of={icon ?? Blocks} />
      <span>
        <span>{info.label}</span>
        {info.description && (
          <small id={`${id}-description`} aria-hidden="true">
            {info.description}
          </small>
        )}
      </span>
    </div>
  )
}
