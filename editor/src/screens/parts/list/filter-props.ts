import type { TypeInfo } from 'quire-client'
import type { ListView } from './list-view.ts'

/** The props of the filters of a list. */
export interface FilterProps {
  readonly name: string
  readonly type: TypeInfo
  readonly view: ListView
  readonly onChange: (filters: ListView['filters']) => void
}
