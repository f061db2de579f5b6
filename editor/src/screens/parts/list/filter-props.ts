import type { TypeInfo } from 'quire-client'
import type { ListView } from './list-view.ts'

/** What the filters of a list of a type have. */
export interface FilterProps {
  readonly name: string
  readonly type: TypeInfo
  readonly view: ListView
  readonly onChange: (filters: ListView['filters']) => void
}
