import { type ComponentChildren, type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { FormNode } from '../model/form.ts'
import './beside.css'

/** Draws what stands beside each field of a form, such as the text that it is translated from; null for nothing. */
export const BesideField = createContext<ComponentType<{ readonly node: FormNode }> | null>(null)

interface WithBesideProps {
  readonly node: FormNode
  readonly children: ComponentChildren
}

/** A field, with what stands beside it. Lists and groups are as wide as before: it stands below them. */
export function WithBeside({ node, children }: WithBesideProps) {
  const Beside = useContext(BesideField)
  if (Beside === null) return <>{children}</>
  return (
    <div class={`q-beside q-beside--${node.kind}`}>
      <div>{children}</div>
      <Beside node={node} />
    </div>
  )
}
