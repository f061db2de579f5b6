import { type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Path } from '../model/form.ts'

interface MarkProps {
  readonly path: Path
}

/** Draws a remark at single fields and items, such as that they differ from what is published; null for none. */
export const Marks = createContext<ComponentType<MarkProps> | null>(null)

/** The remark at a field or an item, after its control. */
export function FieldMark({ path }: MarkProps) {
  const Mark = useContext(Marks)
  return Mark && <Mark path={path} />
}
